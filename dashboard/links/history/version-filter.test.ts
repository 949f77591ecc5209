import { describe, expect, test } from 'bun:test'
import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { changeOptions, isSet, matchingVersions, NO_FILTER, peopleOptions } from './version-filter.ts'

describe('the versions of a link', () => {
  test.each([
    [{}, [4, 3, 2, 1]],
    [{ changes: ['title'] }, [4, 3]],
    [{ changes: ['original_url', 'created'] }, [2, 1]],
    [{ people: ['user 1'] }, [3, 1]],
    [{ people: ['key 1', 'user 2'] }, [3, 2]],
    [{ people: ['user 1'], changes: ['title'] }, [3]],
    [{ from: '2026-11-01' }, [4, 3, 2]],
    [{ to: '2026-11-01' }, [3, 2, 1]],
    [{ from: '2026-11-02', to: '2026-11-08' }, []],
  ])('that %j leaves are %j', (filter, left) => {
    const numbers = matchingVersions(VERSIONS, { ...NO_FILTER, ...filter }).map(({ version: each }) => each)
    expect(numbers).toEqual(left)
    expect(isSet({ ...NO_FILTER, ...filter })).toBe(left.length < VERSIONS.length)
  })

  test('offer what was changed in them and who did it, each once and by name', () => {
    expect(changeOptions(VERSIONS)).toEqual([
      { value: 'created', label: 'Creation' },
      { value: 'original_url', label: 'Destination' },
      { value: 'expires_at', label: 'End' },
      { value: 'title', label: 'Title' },
    ])
    expect(peopleOptions(VERSIONS)).toEqual([
      { value: 'user 1', label: 'Ann' },
      { value: 'user 2', label: 'Ben' },
      { value: 'key 1', label: 'Shop', detail: 'API key' },
    ])
  })
})

const ANN = { id: 1, name: 'Ann' }
const BEN = { id: 2, name: 'Ben' }
const KEY = { id: 1, name: 'Shop' }
const CHANGE = { from: null, to: 'x' }

const VERSIONS = [
  version(4, { changed_by: null, changes: { title: CHANGE }, changed_at: '2026-11-09T12:00:00Z' }),
  version(3, { api_key: KEY, changes: { title: CHANGE, expires_at: CHANGE } }),
  version(2, { changed_by: BEN, changes: { original_url: CHANGE } }),
  version(1, { changed_at: '2026-10-01T12:00:00Z' }),
]

function version(number: number, others: Partial<LinkVersionView>): LinkVersionView {
  return {
    version: number,
    changed_at: '2026-11-01T12:00:00Z',
    changed_by: ANN,
    api_key: null,
    changes: {},
    ...others,
  }
}
