// Where the files of the page lie. The version that a script was loaded with stands in every address that it asks for:
// after the site was built anew, nothing that a browser has kept is mixed with what is new.

const { search } = new URL(import.meta.url);

export const at = (name) => new URL(name + search, import.meta.url).href;
