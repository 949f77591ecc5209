/** Loaded when somebody first has to do with a passkey: it takes 22 MB of memory, and would make the start longer. */
export const passkeyLibrary = () => import('@simplewebauthn/server')
