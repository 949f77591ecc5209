import { type JsonObject, memberAt } from '../files/json-pages.ts'
import { isObject } from '../../validation/is-object.ts'
import type { ClicksBy, SourceItem } from '../source.ts'

// What a source says of its API. Requests, limits, retries and pages are the same for all.

/** `path` begins after the URL of the source. */
export type PageRequest = {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

/** `list`: which of several lists. `cursor`: absent for the first page. */
type PagePlace = { list: string; cursor: string | undefined }

/** `items`: of this page. `before`: those of the last page before it that had any. */
type PagePosition = PagePlace & { items: readonly unknown[]; before: readonly unknown[] }

/** Of an object, or of whatever else is where an object should be. */
type OfItem<Value> = (item: unknown) => Value | undefined

export type PagedList = {
  request(place: PagePlace): PageRequest
  /** Where a page has its list. */
  items(page: unknown): unknown
  /** The same on every page: pages that shift while they are read repeat items. */
  id: OfItem<string>
  /** The cursor of the next page; undefined after the last one. */
  next(page: unknown, position: PagePosition): string | undefined
  /** How many items the list has. Only where pages are counted from its start, so that they can shift. */
  total?: OfItem<number>
}

/** Lists of links that a user may choose from. `noun`: what the source calls one of them. */
export type NamedLists = PagedList & { noun: string; name: OfItem<string> }

/** `nowUs`: when the reading began; clicks that come later are left for the next import. */
export type ClickPages = { get(request: PageRequest): Promise<unknown>; nowUs: number }

/** What an API says of the clicks of one link, in requests of their own. */
export type ClickApi = {
  /** How many requests that takes, about; 0 for a link that has no clicks. */
  requests(link: JsonObject, nowUs: number): number
  read(pages: ClickPages, link: JsonObject): Promise<ClicksBy>
}

export type SourceApi = {
  /** Absent for programs that their users run themselves. */
  defaultUrl?: string
  /** Where a request has the key. */
  credentials(key: string): Pick<PageRequest, 'headers' | 'query'>
  /** Lists of links that are read one after the other: their IDs, or where they are listed. Absent: there is one. */
  lists?: readonly string[] | NamedLists
  links: Omit<PagedList, 'items'>
  /** Absent where the list of links says all that is known of their clicks. */
  clicks?: ClickApi
}

/** How links are read from an API. `items` reads an object that its pages have; `number` counts from 1. */
export type NetworkSource = {
  title: string
  api: SourceApi & { links: PagedList }
  items(object: unknown, number: number): SourceItem[]
}

/** A member of an object that is a text or a number, as text. */
export const textAt =
  (name: string): OfItem<string> =>
  (item) => {
    const value = isObject(item) ? item[name] : undefined
    return (typeof value === 'string' && value !== '') || typeof value === 'number'
      ? String(value)
      : undefined
  }

/** A number of a page at this path, also as text. */
export const numberAt =
  (...names: string[]): OfItem<number> =>
  (page) => {
    const value = memberAt(...names)(page)
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value))
    return isNumber ? Number(value) : undefined
  }

/**
 * For lists that go on after an item: the cursor is the last one of a page. An empty page is the end of the list, or its cursor was
 * deleted there in the meantime. What follows the item before that one says which.
 */
export const lastOf =
  (id: OfItem<string>): PagedList['next'] =>
  (_, { cursor, items, before }) => {
    const last = id(items.at(-1))
    const lastBefore = id(before.at(-1))
    if (items.length === 0) return cursor === lastBefore ? id(before.at(-2)) : undefined
    return items.length === 1 && last === lastBefore ? undefined : last
  }

/** For lists that skip a number of items: the cursor is that number. */
export const skipOf: PagedList['next'] = (_, { cursor = '0', items }) =>
  items.length === 0 ? undefined : String(Number(cursor) + items.length)
