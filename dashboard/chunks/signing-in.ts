// Pages of visitors who have not signed in, or have to do so again.
export { default as OpenPages } from '../sign-in/open-pages.tsx'
export { default as SignInAgain } from '../sign-in/sign-in-again.tsx'
export { default as SignedOutPages } from '../sign-in/signed-out-pages.tsx'
