//! The texts of one run in memory, and the model they describe.

use std::path::Path;

use frontend::{AnyNumber, Converted, Inputs, Language, Model, Reductions};
use model::SourceFile;

/// A model's text with what belongs to it.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The model, and then whatever of property, initial states, target and formula
    /// exist.
    pub files: Vec<SourceFile>,
    /// The language of the model.
    pub language: Language,
    property: Option<usize>,
    init: Option<usize>,
    target: Option<usize>,
    formula: Option<usize>,
    constants: Vec<(String, i64)>,
    strict: bool,
    reductions: Reductions,
    is_any_number: bool,
    parameter: Option<String>,
}

impl Texts {
    /// A model without anything else.
    pub fn new(language: Language, name: &str, text: &str) -> Texts {
        let file = SourceFile { name: name.to_owned(), text: text.to_owned() };
        Texts {
            files: vec![file],
            language,
            property: None,
            init: None,
            target: None,
            formula: None,
            constants: Vec::new(),
            strict: false,
            reductions: Reductions::ALL,
            is_any_number: false,
            parameter: None,
        }
    }

    /// Reads a model from a file, by its extension.
    ///
    /// # Errors
    /// The file cannot be read, or its extension is none of ours.
    pub fn read(path: &Path) -> Result<Texts, String> {
        let name = path.display().to_string();
        // Old files have comments in other encodings.
        let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let language = Language::detect(&name, &text).ok_or("unknown language")?;
        Ok(Texts::new(language, &name, &text))
    }

    /// What a conversion produced.
    pub fn of_converted(language: Language, converted: &Converted) -> Texts {
        let mut texts = Texts::new(language, "converted", &converted.text);
        if let Some(property) = &converted.property {
            texts = texts.with_property(property);
        }
        if let Some(init) = &converted.init {
            texts = texts.with_init(init);
        }
        if let Some(target) = &converted.target {
            texts = texts.with_target(target);
        }
        texts
    }

    /// The same with the text of a `.prop` file.
    pub fn with_property(mut self, text: &str) -> Texts {
        self.property = Some(self.push("property", text));
        self
    }

    /// The same with the text of `--init`.
    pub fn with_init(mut self, text: &str) -> Texts {
        self.init = Some(self.push("--init", text));
        self
    }

    /// The same with the text of `--target`.
    pub fn with_target(mut self, text: &str) -> Texts {
        self.target = Some(self.push("--target", text));
        self
    }

    /// The same with the text of `--ltl`.
    pub fn with_formula(mut self, text: &str) -> Texts {
        self.formula = Some(self.push("--ltl", text));
        self
    }

    /// The same with another value for a constant.
    pub fn with_constant(mut self, name: &str, value: i64) -> Texts {
        self.constants.push((name.to_owned(), value));
        self
    }

    /// The same in the standard dialect.
    pub fn strictly(mut self) -> Texts {
        self.strict = true;
        self
    }

    /// The same with a Boolean program made smaller in these ways.
    pub fn with_reductions(mut self, reductions: Reductions) -> Texts {
        self.reductions = reductions;
        self
    }

    /// The same for any number of elements of a type.
    pub fn for_any_number(mut self) -> Texts {
        self.is_any_number = true;
        self
    }

    /// The same with the type of which there is any number.
    pub fn with_parameter(mut self, name: &str) -> Texts {
        self.parameter = Some(name.to_owned());
        self
    }

    /// The model they describe.
    ///
    /// # Errors
    /// The diagnostics, when there is none.
    pub fn load(&self) -> Result<Model, String> {
        let (model, diagnostics) = frontend::load(&Inputs {
            property: self.property,
            init: self.init,
            target: self.target,
            formula: self.formula,
            constants: &self.constants,
            strict: self.strict,
            reductions: self.reductions,
            any_number: self
                .is_any_number
                .then_some(AnyNumber { parameter: self.parameter.as_deref() }),
            ..Inputs::of(&self.files, self.language)
        });
        model.ok_or_else(|| format!("refused: {diagnostics:?}\n{}", self.files[0].text))
    }

    fn push(&mut self, name: &str, text: &str) -> usize {
        self.files.push(SourceFile { name: name.to_owned(), text: text.to_owned() });
        self.files.len() - 1
    }
}
