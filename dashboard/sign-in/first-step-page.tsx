import { useSignedIn } from '../use-session.ts'
import ConfirmFirstPage from './confirm-first-page.tsx'
import TwoFactorFirstPage from './two-factor-first-page.tsx'

/** What a user must do before anything else. */
export default function FirstStepPage() {
  const { is_verified: isVerified } = useSignedIn().user
  return isVerified ? <TwoFactorFirstPage /> : <ConfirmFirstPage />
}
