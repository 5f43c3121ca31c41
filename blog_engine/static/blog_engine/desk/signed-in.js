// The window in which a writer signed in again has done its work.
window.opener?.focus();
window.close();
