import { expect, test } from 'bun:test'
import { Marked } from './marked.tsx'

test('every word of the search is marked, wherever it is and whatever its case', () => {
  expect(marked('Winter sale, winter', 'SALE win')).toBe('[Win]ter [sale], [win]ter')
  expect(marked('winter', 'win winter')).toBe('[winter]')
  expect(marked('冬のセール', 'セール')).toBe('冬の[セール]')
  expect(marked('winter', ' ')).toBe('winter')
})

test('no sign has a meaning of its own', () => {
  for (const sign of '\\^$.*+?()[]{}|/-&#~') expect(marked(`a${sign}b`, sign)).toBe(`a[${sign}]b`)
})

/** With what is marked in brackets. */
const marked = (text: string, search: string): string => {
  const nodes = Marked({ text, search })
  return typeof nodes === 'string'
    ? nodes
    : (nodes as (string | { props: { children: string } })[])
        .map((node) => (typeof node === 'string' ? node : `[${node.props.children}]`))
        .join('')
}
