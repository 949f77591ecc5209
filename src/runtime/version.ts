/** The same as in package.json. */
export const VERSION = '0.1.0'

/** The version of the specification that the API follows. */
export const API_VERSION = '1.2.0.1'
