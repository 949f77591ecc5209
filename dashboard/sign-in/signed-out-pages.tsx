import { useLocation } from 'wouter'
import type { InstanceView } from '../../src/http/endpoints/browser-types.ts'
import SignInPage from './sign-in-page.tsx'
import SignUpPage from './sign-up-page.tsx'

/** Keeps the URL, so that signing in leads to the requested page. */
export default function SignedOutPages({ instance }: { instance: InstanceView }) {
  const [path] = useLocation()
  if (path === '/sign-up' || (instance.is_empty && path !== '/sign-in')) return <SignUpPage />
  return <SignInPage />
}
