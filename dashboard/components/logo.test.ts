import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Logo } from './logo.tsx'

const FAVICON = join(import.meta.dir, '../../src/http/pages/favicon.svg')

test('the logo is that of the icon', () => {
  const icon = pathsIn(readFileSync(FAVICON, 'utf8'))
  expect(icon.length).toBeGreaterThan(3)
  expect(pathsIn(renderToStaticMarkup(createElement(Logo)))).toEqual(icon)
})

const pathsIn = (svg: string) => [...svg.matchAll(/<path fill="(.+?)" d="(.+?)"/g)].map(([, ...path]) => path)
