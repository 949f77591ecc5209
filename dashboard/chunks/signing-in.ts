// Pages of visitors who have not signed in, or have to do so again.
export { default as OpenPages } from '../pages/open-pages.tsx'
export { default as SignInAgain } from '../pages/sign-in-again.tsx'
export { default as SignedOutPages } from '../pages/signed-out-pages.tsx'
