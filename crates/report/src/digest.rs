//! Identifies the content of an input: SHA-256 in lower-case hexadecimal, the
//! same text that `sha256sum FILE` prints.

use sha2::{Digest, Sha256};

/// The SHA-256 of `text` in hexadecimal.
pub fn sha256(text: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(text.as_bytes());
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn the_digest_of_the_empty_text_is_the_published_one() {
        assert_eq!(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
