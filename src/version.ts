/** As package.json has it; a test compares them. */
export const TERN_VERSION = '0.1.0'
