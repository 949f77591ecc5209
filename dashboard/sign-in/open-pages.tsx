import { useLocation } from 'wouter'
import ResetPasswordPage, { ForgotPasswordPage } from './reset-password-page.tsx'
import InvitationPage from './invitation-page.tsx'
import ProviderReturnPage from './provider-return-page.tsx'
import VerifyPage from './verify-page.tsx'
import type { InstanceView } from '../../src/http/endpoints/browser-types.ts'
import SignInPage from './sign-in-page.tsx'
import SignUpPage from './sign-up-page.tsx'

/** Pages that look the same whether somebody is signed in or not. app.tsx has their paths. */
export function OpenPages() {
  const [path] = useLocation()
  const [, page, provider] = path.split('/')
  if (page === 'verify-email') return <VerifyPage key={page} kind="verify" />
  if (page === 'confirm-email') return <VerifyPage key={page} kind="change" />
  if (page === 'reset-password') return <ResetPasswordPage />
  if (page === 'invitation') return <InvitationPage />
  if (page === 'forgot-password') return <ForgotPasswordPage />
  return <ProviderReturnPage provider={provider ?? ''} />
}

/** Keeps the URL, so that signing in leads to the requested page. */
export function SignedOutPages({ instance }: { instance: InstanceView }) {
  const [path] = useLocation()
  if (path === '/sign-up' || (instance.is_empty && path !== '/sign-in')) return <SignUpPage />
  return <SignInPage />
}
