import type { OidcProvider } from '../../config/oidc-providers.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { discoveryProblem } from './discovery-problem.ts'
import { bindGroupWorkspace, logMissingWorkspace } from './group-workspaces.ts'

type CheckDeps = { db: DurableDb; log: Pick<Log, 'warn' | 'error'> }

/** At the start: names of workspaces are bound early, and the operator sees a mistake in OIDC_PROVIDERS before a user does. */
export async function checkProviders(deps: CheckDeps, providers: readonly OidcProvider[]): Promise<void> {
  await Promise.all(providers.map((provider) => checkProvider(deps, provider)))
}

async function checkProvider({ db, log }: CheckDeps, provider: OidcProvider): Promise<void> {
  const { id, issuer, groupRoles } = provider
  try {
    for (const { group, workspace } of groupRoles) {
      const workspaceRow = await transact(db, (tx) => bindGroupWorkspace(tx, workspace))
      if ('error' in workspaceRow)
        logMissingWorkspace(log, { provider: id, group, error: workspaceRow.error })
    }
  } catch (error) {
    log.error('Could not look up the workspaces of OIDC_PROVIDERS.', describeError(error))
  }
  const problem = await discoveryProblem(provider)
  if (problem === undefined) return
  log.warn('Users cannot sign in with a provider.', { provider: id, issuer, reason: problem.sentence })
}
