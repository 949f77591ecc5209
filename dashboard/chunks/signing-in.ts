// Pages of visitors who have not signed in, or have to do so again.
export { OpenPages, SignedOutPages } from '../sign-in/open-pages.tsx'
export { SignInAgain } from '../sign-in/sign-in-page.tsx'
