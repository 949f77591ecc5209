import { Refusal } from '../../errors/refusal.ts'

/** With OIDC_ONLY, for users who are no operators: those need a way in while the provider is away. */
export function refuseOtherWays(config: { oidcOnly: boolean }, role: string): void {
  if (config.oidcOnly && role !== 'admin')
    throw new Refusal(
      'single_sign_on_required',
      'This server takes single sign-on only. Continue with your provider.',
    )
}
