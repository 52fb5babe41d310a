//! What the published JSON schema of SARIF 2.1.0 asks of the parts that rondag writes: properties that must be there, those
//! that may, enumerations, least numbers, lists that may not be empty.

use serde_json::Value;

/// The type of a property.
enum Is {
    /// An object of this name in [`OBJECTS`].
    Object(&'static str),
    /// A list of such objects, with at least so many.
    List(&'static str, usize),
    Text,
    Bool,
    /// An integer that is at least this.
    AtLeast(i64),
    One(&'static [&'static str]),
    /// An object with any names and texts as values.
    Texts,
    /// An object with any names and such objects as values.
    Map(&'static str),
    /// A property bag.
    Any,
}

struct Object {
    name: &'static str,
    /// All of these.
    required: &'static [&'static str],
    /// One of these at least.
    one_of: &'static [&'static str],
    properties: &'static [(&'static str, Is)],
}

const LEVELS: Is = Is::One(&["none", "note", "warning", "error"]);

static OBJECTS: &[Object] = &[
    Object {
        name: "sarifLog",
        required: &["version", "runs"],
        one_of: &[],
        properties: &[("$schema", Is::Text), ("version", Is::One(&["2.1.0"])), ("runs", Is::List("run", 0))],
    },
    Object {
        name: "run",
        required: &["tool"],
        one_of: &[],
        properties: &[
            ("tool", Is::Object("tool")),
            ("columnKind", Is::One(&["utf16CodeUnits", "unicodeCodePoints"])),
            ("originalUriBaseIds", Is::Map("artifactLocation")),
            ("invocations", Is::List("invocation", 0)),
            ("results", Is::List("result", 0)),
        ],
    },
    Object { name: "tool", required: &["driver"], one_of: &[], properties: &[("driver", Is::Object("toolComponent"))] },
    Object {
        name: "toolComponent",
        required: &["name"],
        one_of: &[],
        properties: &[
            ("name", Is::Text),
            ("version", Is::Text),
            ("informationUri", Is::Text),
            ("rules", Is::List("reportingDescriptor", 0)),
        ],
    },
    Object {
        name: "reportingDescriptor",
        required: &["id"],
        one_of: &[],
        properties: &[
            ("id", Is::Text),
            ("shortDescription", Is::Object("multiformatMessageString")),
            ("helpUri", Is::Text),
            ("help", Is::Object("multiformatMessageString")),
            ("defaultConfiguration", Is::Object("reportingConfiguration")),
            ("properties", Is::Any),
        ],
    },
    Object {
        name: "multiformatMessageString",
        required: &["text"],
        one_of: &[],
        properties: &[("text", Is::Text), ("markdown", Is::Text)],
    },
    Object { name: "reportingConfiguration", required: &[], one_of: &[], properties: &[("level", LEVELS)] },
    Object {
        name: "invocation",
        required: &["executionSuccessful"],
        one_of: &[],
        properties: &[("executionSuccessful", Is::Bool)],
    },
    Object {
        name: "result",
        required: &["message"],
        one_of: &[],
        properties: &[
            ("ruleId", Is::Text),
            ("ruleIndex", Is::AtLeast(-1)),
            ("level", LEVELS),
            ("message", Is::Object("message")),
            ("locations", Is::List("location", 0)),
            ("relatedLocations", Is::List("location", 0)),
            ("partialFingerprints", Is::Texts),
            ("fixes", Is::List("fix", 0)),
            ("properties", Is::Any),
        ],
    },
    Object { name: "message", required: &[], one_of: &["text", "id"], properties: &[("text", Is::Text)] },
    Object {
        name: "location",
        required: &[],
        one_of: &[],
        properties: &[
            ("id", Is::AtLeast(-1)),
            ("physicalLocation", Is::Object("physicalLocation")),
            ("logicalLocations", Is::List("logicalLocation", 0)),
            ("message", Is::Object("message")),
        ],
    },
    Object {
        name: "physicalLocation",
        required: &[],
        one_of: &["address", "artifactLocation"],
        properties: &[("artifactLocation", Is::Object("artifactLocation")), ("region", Is::Object("region"))],
    },
    Object {
        name: "artifactLocation",
        required: &[],
        one_of: &[],
        properties: &[("uri", Is::Text), ("uriBaseId", Is::Text), ("description", Is::Object("message"))],
    },
    Object { name: "logicalLocation", required: &[], one_of: &[], properties: &[("fullyQualifiedName", Is::Text)] },
    Object {
        name: "region",
        required: &[],
        one_of: &[],
        properties: &[
            ("startLine", Is::AtLeast(1)),
            ("startColumn", Is::AtLeast(1)),
            ("endLine", Is::AtLeast(1)),
            ("endColumn", Is::AtLeast(1)),
            ("byteOffset", Is::AtLeast(-1)),
            ("byteLength", Is::AtLeast(0)),
        ],
    },
    Object {
        name: "fix",
        required: &["artifactChanges"],
        one_of: &[],
        properties: &[
            ("description", Is::Object("message")),
            ("artifactChanges", Is::List("artifactChange", 1)),
            ("properties", Is::Any),
        ],
    },
    Object {
        name: "artifactChange",
        required: &["artifactLocation", "replacements"],
        one_of: &[],
        properties: &[
            ("artifactLocation", Is::Object("artifactLocation")),
            ("replacements", Is::List("replacement", 1)),
        ],
    },
    Object {
        name: "replacement",
        required: &["deletedRegion"],
        one_of: &[],
        properties: &[("deletedRegion", Is::Object("region")), ("insertedContent", Is::Object("artifactContent"))],
    },
    Object { name: "artifactContent", required: &[], one_of: &[], properties: &[("text", Is::Text)] },
];

/// Parses a document and holds it against the schema.
pub(super) fn checked(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).expect("it is one JSON document");
    object("sarifLog", &document, "$");
    document
}

fn object(name: &str, value: &Value, at: &str) {
    let kind = OBJECTS.iter().find(|kind| kind.name == name).expect("the table knows it");
    let fields = value.as_object().unwrap_or_else(|| panic!("{at} is no object"));
    for required in kind.required {
        assert!(fields.contains_key(*required), "{at} lacks `{required}`");
    }
    let one = kind.one_of.is_empty() || kind.one_of.iter().any(|name| fields.contains_key(*name));
    assert!(one, "{at} has none of {:?}", kind.one_of);
    for (name, value) in fields {
        let at = format!("{at}.{name}");
        let (_, is) =
            kind.properties.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{at}: unknown"));
        property(is, value, &at);
    }
}

fn property(is: &Is, value: &Value, at: &str) {
    match is {
        Is::Object(name) => object(name, value, at),
        Is::List(name, least) => {
            let items = value.as_array().unwrap_or_else(|| panic!("{at} is no list"));
            assert!(items.len() >= *least, "{at} has {} items", items.len());
            items.iter().enumerate().for_each(|(index, item)| object(name, item, &format!("{at}[{index}]")));
        }
        Is::Text => assert!(value.is_string(), "{at} is no text"),
        Is::Bool => assert!(value.is_boolean(), "{at} is no bool"),
        Is::AtLeast(least) => assert!(value.as_i64().is_some_and(|n| n >= *least), "{at} is {value}"),
        Is::One(known) => assert!(value.as_str().is_some_and(|text| known.contains(&text)), "{at} is {value}"),
        Is::Texts => assert!(value.as_object().is_some_and(|map| map.values().all(Value::is_string)), "{at}"),
        Is::Map(name) => {
            let fields = value.as_object().unwrap_or_else(|| panic!("{at} is no object"));
            fields.iter().for_each(|(key, value)| object(name, value, &format!("{at}.{key}")));
        }
        Is::Any => assert!(value.is_object(), "{at} is no property bag"),
    }
}
