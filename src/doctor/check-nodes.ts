import type { CurrentDb } from '../store/handles.ts'
import { type Finding, findings, warning } from './finding.ts'

/**
 * Whether two nodes have the same name, by their uncounted journals. Nothing depends on names, but the operator would mistake
 * one for the other.
 */
export async function checkNodes(db: CurrentDb): Promise<Finding[]> {
  const rows = await db
    .selectFrom('journal_segments')
    .select((eb) => ['node', eb.fn.count<number>('folder').distinct().as('folders')])
    .where('finished_at', 'is', null)
    .groupBy('node')
    .orderBy('node')
    .execute()
  const complaints = rows
    .filter(({ folders }) => folders > 1)
    .map(({ node, folders }) =>
      warning(
        `${folders} journals of nodes named ${node} still have uncounted clicks. If several nodes have that name, give each its own NODE_NAME. If one was set up again, start it once on its old folder.`,
      ),
    )
  const names = rows.map(({ node }) => node)
  return findings(
    'nodes',
    complaints,
    names.length === 0 ? 'No node has journaled a click yet.' : `Nodes that journal: ${names.join(', ')}.`,
  )
}
