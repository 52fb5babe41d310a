//! Faults that are found while names, sizes and bindings are worked out.

use crate::diagnostic::{Rule, rule};

rule! {
    pub UNKNOWN_RESOURCE = Error "unknown-resource": "a reference names no resource of its file";
    pub UNKNOWN_NAME = Error "unknown-name": "an expression names nothing that is known";
    pub UNKNOWN_PASS = Error "unknown-pass": "`after` names no pass of its file";
    pub UNKNOWN_VARIABLE = Error "unknown-variable": "`bind` names a variable that the shader lacks";
    pub UNKNOWN_VALUE = Error "unknown-value": "`set` names nothing that takes a value";
    pub UNKNOWN_PORT = Error "unknown-port": "`bind` of an Include names a port that the graph lacks";
    pub UNKNOWN_FEATURE = Error "unknown-feature": "`requires` names a feature that does not exist";
    pub UNBOUND_VARIABLE = Error "unbound-variable": "a variable that the shader uses is bound to nothing";
    pub MISSING_VALUE = Error "missing-value": "an override or uniform member has no value";
    pub MISSING_MEMBER = Error "missing-member": "a Uniform lacks a member that a shader's struct has";
    pub MISSING_PORT = Error "missing-port": "a port of an included graph is bound to nothing";
    pub WRONG_KIND = Error "wrong-kind": "a reference names something of another kind than is needed";
    pub TYPE_MISMATCH = Error "type-mismatch": "a value has another type than is needed";
    pub ARITHMETIC = Error "arithmetic": "an expression has no value";
    pub UNPLANNABLE_VALUE = Error "unplannable-value": "a value that must be known when planning changes from frame to frame";
    pub NEGATIVE_SIZE = Error "negative-size": "a size, count or offset is negative";
    pub NUMBER_RANGE = Error "number-range": "a number is out of the range of where it goes";
    pub VALUE_RANGE = Error "value-range": "an Include sets a param outside of its range";
    pub RANGE = Error "range": "a copy or scan goes beyond its target";
    pub COPY_ALIGNMENT = Error "copy-alignment": "bytes of a clear or copy are no multiple of 4";
    pub COPY_WITHIN = Error "copy-within": "source and target are one resource";
    pub SIZE_CYCLE = Error "size-cycle": "the size of a resource hangs on itself";
    pub UNKNOWN_STRIDE = Error "unknown-stride": "nothing says how large the elements of a buffer are";
    pub STRIDE_MISMATCH = Error "stride-mismatch": "shaders and graph disagree on the size of an element";
    pub BINDING_SIZE = Error "binding-size": "a buffer is smaller than what is bound or put into it";
    pub BINDING_MISMATCH = Error "binding-mismatch": "a resource does not fit the variable it is bound to";
    pub UNSUPPORTED_BINDING = Error "unsupported-binding": "a shader has a variable that no graph can bind";
    pub ENTRY_POINT = Error "entry-point": "an entry point is missing or not unique";
    pub VERTEX_LAYOUT = Error "vertex-layout": "vertex inputs or index buffers do not fit a draw";
    pub ATTACHMENT_MISMATCH = Error "attachment-mismatch": "attachments, outputs and formats of a pass do not go together";
    pub SUBRESOURCE_RANGE = Error "subresource-range": "a mip, layer or mesh is named that is not there, or one is needed and several are named";
    pub NO_PREVIOUS = Error "no-previous": "`.previous` of something that keeps no previous copy";
    pub ONCE_READS_FRAME = Error "once-reads-frame": "a Once pass reads what changes from frame to frame";
    pub PORT_DIRECTION = Error "port-direction": "a port is used against its direction";
    pub PORT_MISMATCH = Error "port-mismatch": "what is given to a port is not what it states";
    pub INCLUDE_CYCLE = Error "include-cycle": "graphs include each other in a circle";
    pub EXPANSION_LIMIT = Error "expansion-limit": "a frame expands beyond a limit";
    pub SHADOWED_NAME = Error "shadowed-name": "a Repeat variable hides a name of its file";
    pub DISPATCH_LIMIT = Error "dispatch-limit": "a dispatch has more workgroups than a dimension may have";
    pub USAGE_CONFLICT = Error "usage-conflict": "one pass uses a resource in ways that exclude each other";
    pub INDIRECT_WRITTEN = Error "indirect-written-in-same-dispatch": "a pass writes the indirect arguments that it consumes";
    pub ALIASED_WRITABLE = Error "aliased-writable": "one resource is writable through two variables";
    pub DATA_FILE = Error "data-file": "a file does not hold what its buffer needs";
    pub MESH = Error "mesh": "a mesh cannot be made or read";
}

/// All of them.
pub static ALL: &[&Rule] = &[
    &UNKNOWN_RESOURCE,
    &UNKNOWN_NAME,
    &UNKNOWN_PASS,
    &UNKNOWN_VARIABLE,
    &UNKNOWN_VALUE,
    &UNKNOWN_PORT,
    &UNKNOWN_FEATURE,
    &UNBOUND_VARIABLE,
    &MISSING_VALUE,
    &MISSING_MEMBER,
    &MISSING_PORT,
    &WRONG_KIND,
    &TYPE_MISMATCH,
    &ARITHMETIC,
    &UNPLANNABLE_VALUE,
    &NEGATIVE_SIZE,
    &NUMBER_RANGE,
    &VALUE_RANGE,
    &RANGE,
    &COPY_ALIGNMENT,
    &COPY_WITHIN,
    &SIZE_CYCLE,
    &UNKNOWN_STRIDE,
    &STRIDE_MISMATCH,
    &BINDING_SIZE,
    &BINDING_MISMATCH,
    &UNSUPPORTED_BINDING,
    &ENTRY_POINT,
    &VERTEX_LAYOUT,
    &ATTACHMENT_MISMATCH,
    &SUBRESOURCE_RANGE,
    &NO_PREVIOUS,
    &ONCE_READS_FRAME,
    &PORT_DIRECTION,
    &PORT_MISMATCH,
    &INCLUDE_CYCLE,
    &EXPANSION_LIMIT,
    &SHADOWED_NAME,
    &DISPATCH_LIMIT,
    &USAGE_CONFLICT,
    &INDIRECT_WRITTEN,
    &ALIASED_WRITABLE,
    &DATA_FILE,
    &MESH,
];
