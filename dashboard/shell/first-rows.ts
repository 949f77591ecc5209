import type { LinkPage } from '../links/listed-links.ts'
import { destinationText, hostOf, partsOfShortUrl, relativeTime, shortNumber } from '../format.ts'
import { letterColor } from '../components/letter-color.ts'
import { strings } from '../strings.ts'

type FirstLink = LinkPage['data'][number]

const ROWS_MAX = 12

let drawn: HTMLElement | undefined
let list: LinkPage | undefined

/**
 * Shows the first links as soon as they are there, which on a slow line is long before React has loaded. Made by hand in the
 * look of the list, which takes their place: they do nothing until then.
 */
export async function drawFirstRows(response: Promise<Response>): Promise<void> {
  try {
    const answer = await response
    if (!answer.ok) return
    list = (await answer.clone().json()) as LinkPage
    if (list.data.length === 0) return
    drawn = rowsOf(list.data.slice(0, ROWS_MAX))
    document.querySelector('.first-rows')?.replaceChildren(drawn)
  } catch {
    // The list itself requests them again, and says what failed.
  }
}

/** For React, which draws the first paint again until the session is known. */
export function keepFirstRows(place: HTMLElement | null): void {
  if (drawn !== undefined) place?.replaceChildren(drawn)
}

/** What the rows were made from, once; undefined if it has not come yet. */
export function takeFirstList(): LinkPage | undefined {
  const rows = list
  list = undefined
  return rows
}

type Attributes = { class?: string }

function element(name: string, attributes: Attributes, ...content: (Node | string)[]): HTMLElement {
  const node = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value)
  node.append(...content)
  return node
}

function rowsOf(links: readonly FirstLink[]): HTMLElement {
  const heads = COLUMNS.map((column) => element('th', { class: classOf(column) }, HEADS[column]))
  const rows = links.map((link) => {
    const content = contentOf(link)
    return element(
      'tr',
      {},
      ...COLUMNS.map((column) => element('td', { class: classOf(column) }, content[column])),
    )
  })
  return element(
    'table',
    { class: 'table becomes-cards link-table' },
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  )
}

const COLUMNS = ['tick', 'link', 'labels', 'clicks', 'created', 'menu'] as const
const HEADS = { ...strings.links.columns, tick: '', menu: '' }

const classOf = (column: (typeof COLUMNS)[number]) =>
  `cell-${column} col-${column}${column === 'clicks' ? ' is-number' : ''}`

function contentOf(link: FirstLink): Record<(typeof COLUMNS)[number], Node | string> {
  const count = element('span', { class: 'clicks-count' }, shortNumber(link.click_count))
  const clicks = element('span', { class: 'clicks-cell' }, element('span', { class: 'clicks-shape' }), count)
  const date = element('span', { class: 'soft' }, relativeTime(link.created_at))
  return { tick: '', link: linkCell(link), labels: '', clicks, created: date, menu: '' }
}

function linkCell(link: FirstLink): HTMLElement {
  const [host, code] = partsOfShortUrl(link.short_url)
  const name = element(
    'span',
    { class: 'row-link' },
    element('span', { class: 'short-url-host' }, host),
    element('span', { class: 'short-url-code' }, code),
  )
  const under = element('div', { class: 'link-under' })
  if (link.title !== '') under.append(element('span', { class: 'link-title cut' }, link.title))
  under.append(element('span', { class: 'link-destination cut' }, destinationText(link.original_url)))
  const texts = element('div', { class: 'link-texts' }, element('div', { class: 'link-line' }, name), under)
  return element('div', { class: 'link-cell' }, letterOf(hostOf(link.original_url)), texts)
}

function letterOf(host: string): HTMLElement {
  const letter = element('span', { class: 'letter is-square' }, [...host][0] ?? '?')
  letter.ariaHidden = 'true'
  letter.style.setProperty('--letter', letterColor(host))
  return letter
}
