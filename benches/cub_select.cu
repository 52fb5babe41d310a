// CUB's ordered compaction (`DeviceSelect::Flagged`), to be compared with: `nvcc -O3 -arch=sm_90 -o cub_select cub_select.cu`.
//
// After a second of work three medians in microseconds, of a call each:
//   select  between two events, the host waiting after every call, as one times a library most simply
//   queued  the same behind a kernel that takes its time, so that no launch waits for the host
//   row     16 calls between two events, behind such a kernel, over 16
#include <cub/cub.cuh>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error) {                                                                                                   \
            printf("CUDA: %s\n", cudaGetErrorString(error));                                                           \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

__global__ void burn(unsigned *kept, unsigned rounds) {
    unsigned x = threadIdx.x;
    for (unsigned i = 0; i < rounds; i++) x = (x ^ (x >> 13)) * 1664525u + i;
    if (x == 0) kept[0] = x;
}

template <class F> float median(F call, unsigned *kept, unsigned rounds, int row, int times) {
    cudaEvent_t before, after;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    std::vector<float> all;
    for (int i = 0; i < times; i++) {
        if (rounds) burn<<<264, 256>>>(kept, rounds);
        cudaEventRecord(before);
        for (int j = 0; j < row; j++) call();
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        float ms;
        cudaEventElapsedTime(&ms, before, after);
        all.push_back(ms * 1e3f / row);
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

int main() {
    for (size_t n : {100000ul, 1000000ul, 4194304ul, 16777216ul, 67108864ul})
        for (int percent : {10, 50, 90}) {
            std::vector<unsigned> flags(n);
            unsigned state = 0x12345u;
            for (auto &flag : flags) {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                flag = (state % 100) < (unsigned)percent;
            }
            unsigned *in, *out, *count, *kept;
            CHECK(cudaMalloc(&in, n * 4));
            CHECK(cudaMalloc(&out, n * 4));
            CHECK(cudaMalloc(&count, 4));
            CHECK(cudaMalloc(&kept, 4));
            CHECK(cudaMemcpy(in, flags.data(), n * 4, cudaMemcpyHostToDevice));
            thrust::counting_iterator<unsigned> index(0);
            void *scratch = nullptr;
            size_t bytes = 0;
            CHECK(cub::DeviceSelect::Flagged(scratch, bytes, index, in, out, count, (int)n));
            CHECK(cudaMalloc(&scratch, bytes));
            auto select = [&] { cub::DeviceSelect::Flagged(scratch, bytes, index, in, out, count, (int)n); };
            auto started = std::chrono::steady_clock::now();
            auto wanted = std::chrono::milliseconds(n == 100000 && percent == 10 ? 1000 : 100);
            while (std::chrono::steady_clock::now() - started < wanted) median(select, kept, 40000, 1, 20);
            float alone = median(select, kept, 0, 1, 200);
            float queued = median(select, kept, 40000, 1, 100);
            float row = median(select, kept, 40000, 16, 40);
            CHECK(cudaGetLastError());
            unsigned listed;
            CHECK(cudaMemcpy(&listed, count, 4, cudaMemcpyDeviceToHost));
            printf("CUB n=%zu pct=%d k=%u select %.1fus queued %.1fus row %.1fus\n", n, percent, listed, alone, queued,
                   row);
            cudaFree(in);
            cudaFree(out);
            cudaFree(count);
            cudaFree(kept);
            cudaFree(scratch);
        }
}
