import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'

type Changes = LinkVersionView['changes']

/** What changes about a link that gets an earlier version back: from the latest value to the one of then. */
export function changesBackTo(version: number, versions: readonly LinkVersionView[]): Changes {
  const later = versions.filter((each) => each.version > version).sort((a, b) => b.version - a.version)
  const back: Changes = {}
  for (const { changes } of later) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      back[field] = { from: back[field] === undefined ? to : back[field].from, to: from }
    }
  }
  return Object.fromEntries(Object.entries(back).filter(([field, change]) => isRestored(field, change)))
}

/** A password stays as it is: only its hash is kept. */
const isRestored = (field: string, { from, to }: Changes[string]): boolean =>
  field !== 'has_password' && JSON.stringify(from) !== JSON.stringify(to)
