/** What pages write for a path of this server. Texts cannot have it: quotes are escaped in them. */
const IN_MARKUP = / (href|src|action)="\/(?!\/)/g
/** What the scripts and styles of the dashboard write for its paths, and for the API reference. */
const IN_SCRIPTS = /(["'`(])(?=\/(?:dashboard[/"'`]|docs["'`]))/g

/** The same page where the server is reached behind a path: `/docs` leads to `/go/docs`. */
export const withPrefix = (markup: string, prefix = ''): string =>
  prefix === '' ? markup : markup.replaceAll(IN_MARKUP, ` $1="${prefix}/`)

export const scriptWithPrefix = (text: string, prefix: string): string =>
  text.replaceAll(IN_SCRIPTS, `$1${prefix}`)
