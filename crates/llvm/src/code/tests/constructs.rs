//! Single constructs, as listings.
