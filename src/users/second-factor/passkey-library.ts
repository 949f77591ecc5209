/** Loaded on first use: it takes 22 MB of memory and would delay the start. */
export const passkeyLibrary = () => import('@simplewebauthn/server')
