# make demo     render the shipped scene to target/demo/culled_scene.png and print what was measured
# make test     everything that must be green, on the software adapter
# make adapter  a Vulkan adapter, where there is none
# make tools    what the tests use besides: a display without a screen, a browser, Graphviz

CARGO ?= cargo
# Mesa's device picker complains where there is no desktop; nothing here needs it.
export NODEVICE_SELECT = 1
SHELL := /bin/bash

# Where Vulkan loaders look for drivers. `adapter` asks for a loader and one driver; for the tests, for the software one.
ICD = *
ICDS = $(foreach folder,/usr/share /etc /usr/local/share /usr/local/etc,$(folder)/vulkan/icd.d/$(ICD).json)
HAS_ADAPTER = { ls $(ICDS) 2>/dev/null | grep -q . && PATH="$$PATH:/sbin:/usr/sbin" ldconfig -p | grep -q libvulkan.so.1; }
PACKAGES := mesa-vulkan-drivers libvulkan1
# What a window loads at run time.
WINDOW := libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libxrandr2

.PHONY: all adapter demo test

all: test

# Metal and DX12 come with macOS and Windows.
adapter:
	@if [[ "$$(uname -s)" != Linux ]] || $(HAS_ADAPTER); then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
		echo "No Vulkan adapter. Install Mesa's drivers and the Vulkan loader, e.g.: sudo dnf install mesa-vulkan-drivers vulkan-loader" >&2; exit 1; fi; \
	if [[ "$$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then \
		echo "No Vulkan adapter. As root, run: apt-get update && apt-get install -y $(PACKAGES)" >&2; exit 1; fi; \
	root=""; [[ "$$(id -u)" == 0 ]] || root=sudo; \
	echo "No Vulkan adapter: installing $(PACKAGES)" >&2; \
	$$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES)

demo: adapter
	@mkdir -p target/demo
	$(CARGO) run -- run graphs/culled_scene.ron --frames 4 --size 1280x720 \
		--out target/demo/culled_scene.png --report target/demo/culled_scene.json

# What tests use: a display without a screen for the viewer's windows, a browser for the page of a plan, Graphviz for its drawing.
TOOLS := Xvfb:xvfb xdotool:xdotool chromium:chromium dot:graphviz
.PHONY: tools
tools: adapter
	@if [[ "$$(uname -s)" != Linux ]]; then exit 0; fi; \
	missing=""; for tool in $(TOOLS); do command -v "$${tool%%:*}" >/dev/null || missing+=" $${tool##*:}"; done; \
	if [[ -z "$$missing" ]]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then echo "The tests need$$missing." >&2; exit 1; fi; \
	if [[ "$$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then \
		echo "The tests need more. As root, run: apt-get update && apt-get install -y$$missing $(WINDOW)" >&2; exit 1; fi; \
	root=""; [[ "$$(id -u)" == 0 ]] || root=sudo; \
	echo "Installing$$missing" >&2; \
	$$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing $(WINDOW)

# The tests run on the software adapter, and fail where there is none.
test: ICD = lvp_icd*
test: tools
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets -- -D warnings
	$(CARGO) clippy --no-default-features --lib -- -D warnings
	$(CARGO) clippy --no-default-features --features cli -- -D warnings
	$(CARGO) build --no-default-features
	$(CARGO) test --no-default-features --features cli
	$(CARGO) test
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps
