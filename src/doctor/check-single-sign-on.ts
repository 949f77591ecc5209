import type { OidcProvider } from '../config/oidc-providers.ts'
import type { CurrentDb } from '../store/handles.ts'
import { discoveryProblem } from '../users/single-sign-on/discovery-problem.ts'
import { findGroupWorkspace } from '../users/single-sign-on/group-workspaces.ts'
import { fault, type Finding, findings, type Problem, warning } from './finding.ts'

/** Whether users can sign in with each provider, and whether its group roles name a workspace. */
export async function checkSingleSignOn(
  db: CurrentDb,
  providers: readonly OidcProvider[],
): Promise<Finding[]> {
  if (providers.length === 0) return []
  const ofProviders = await Promise.all(providers.map(issuerProblems))
  const problems = ofProviders.flat()
  for (const provider of providers) problems.push(...(await groupProblems(db, provider)))
  const names = providers.map(({ name }) => name).join(', ')
  return findings('single sign-on', problems, `Users can sign in with ${names}.`)
}

async function issuerProblems(provider: OidcProvider): Promise<Problem[]> {
  const problem = await discoveryProblem(provider)
  return problem === undefined ? [] : [fault(`${provider.name}: ${problem.sentence}`)]
}

async function groupProblems(db: CurrentDb, { name, groupRoles }: OidcProvider): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { group, workspace, role } of groupRoles) {
    const groupWorkspace = await findGroupWorkspace(db, workspace)
    if ('error' in groupWorkspace) {
      const consequence = `so the group "${group}" does not give the role ${role}`
      const reason = groupWorkspace.error.replace(/\.$/, '')
      problems.push(
        fault(`${name}: ${reason}, ${consequence}. Use the ID of the workspace in OIDC_PROVIDERS.`),
      )
    } else if (typeof workspace === 'string') {
      const { workspaceId } = groupWorkspace
      const text = `${name}: the group "${group}" gives a role in "${workspace}", the workspace with the ID ${workspaceId}.`
      problems.push(warning(`${text} Use the ID, because anyone can give a workspace that name.`))
    }
  }
  return problems
}
