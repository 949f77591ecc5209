import { rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PackedFile, SignedInPage } from '../../src/http/dashboard/packed-file.ts'
import { FirstLook, type LookName } from '../shell/first-look.tsx'

const FOLDER = dirname(import.meta.dir)
const PUBLIC_PATH = '/dashboard/'
const SIGNED_IN_PAGE: SignedInPage = '/dashboard/#signed-in'
const PLACE_OF_LOOK = '<div id="root" data-look></div>'

/** The page and everything it loads, ready to be served. `page` is an HTML file in dashboard/. */
export async function buildDashboard(page: string): Promise<PackedFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(FOLDER, page)],
    root: dirname(join(FOLDER, page)),
    target: 'browser',
    publicPath: PUBLIC_PATH,
    splitting: true,
    minify: true,
    // Chromium then compiles beside the page, not on its thread at the first call.
    banner: '//# allFunctionsCalledOnLoad',
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: {
      entry: '[name].[ext]',
      chunk: 'assets/[name]-[hash].[ext]',
      asset: 'assets/[name]-[hash].[ext]',
    },
  })
  const texts = new Map<string, string>()
  for (const output of outputs) texts.set(publicPathOf(output.path), await output.text())
  const packed = outputs.flatMap((output) => {
    const path = publicPathOf(output.path)
    const text = texts.get(path)!
    return path === PUBLIC_PATH
      ? packPages(withPreloads(text, texts), output.type)
      : [pack(path, output.type, text)]
  })
  return Promise.all(packed)
}

/** A page that has a place for it comes in two looks, for who is signed in and for who is not. */
function packPages(html: string, type: string): Promise<PackedFile>[] {
  if (!html.includes(PLACE_OF_LOOK)) return [pack(PUBLIC_PATH, type, html)]
  return [
    pack(PUBLIC_PATH, type, withLook(html, 'signed-out')),
    pack(SIGNED_IN_PAGE, type, withLook(html, 'signed-in')),
  ]
}

/** The shell stands in the HTML, so that it is seen before the script has come. */
function withLook(html: string, name: LookName): string {
  const mark = /<link rel="icon" href="([^"]+)"/.exec(html)?.[1]
  if (mark === undefined) throw new Error('The page has no icon.')
  const look = renderToStaticMarkup(createElement(FirstLook, { name, mark, base: '/dashboard' }))
  return html.replace(PLACE_OF_LOOK, () => `<div id="root" data-look="${name}">${look}</div>`)
}

const publicPathOf = (outputPath: string): string =>
  outputPath.endsWith('.html') ? PUBLIC_PATH : PUBLIC_PATH + outputPath.replace(/^\.\//, '')

const transpiler = new Bun.Transpiler({ loader: 'js' })

/** Chunks that the page's script imports at once are named in the page, or each would be found only after the last. */
function withPreloads(html: string, texts: Map<string, string>): string {
  const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1]
  if (script === undefined) throw new Error('The page has no script.')
  const needed = new Set([script])
  for (const path of needed) {
    for (const { kind, path: imported } of transpiler.scanImports(texts.get(path) ?? '')) {
      if (kind === 'import-statement') needed.add(imported)
    }
  }
  needed.delete(script)
  const links = [...needed].map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
  return html.replace('</head>', () => `${links.join('')}</head>`)
}

async function pack(path: string, type: string, text: string): Promise<PackedFile> {
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length, [constants.BROTLI_PARAM_LGWIN]: 22 },
    }),
    promisify(gzip)(identity, { level: 9 }),
  ])
  const smaller = (bytes: Buffer) => (bytes.length < identity.length ? bytes.toString('base64') : undefined)
  const [brText, gzipText] = [smaller(br), smaller(gz)]
  return {
    path,
    contentType: type.replace(/;\s*charset=utf-8$/i, '; charset=utf-8'),
    identity: identity.toString('base64'),
    ...(brText === undefined ? {} : { br: brText }),
    ...(gzipText === undefined ? {} : { gzip: gzipText }),
  }
}

if (import.meta.main) {
  const [target] = process.argv.slice(2)
  if (target === undefined) throw new Error('Say where to write the build.')
  const written = `${target}.${process.pid}.next`
  await writeFile(written, JSON.stringify(await buildDashboard('index.html')))
  await rename(written, target)
}
