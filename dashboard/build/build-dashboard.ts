import type { BunPlugin } from 'bun'
import { rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PackedFile, SignedInPage } from '../../src/http/dashboard-site/compressed-file.ts'
import { CHUNK_OF_PAGE } from '../chunks/chunk-of-page.ts'
import { FirstPaint, type FirstPaintName } from '../shell/first-paint.tsx'

const FOLDER = dirname(import.meta.dir)
const PUBLIC_PATH = '/dashboard/'
export const SIGNED_IN_PAGE: SignedInPage = '/dashboard/#signed-in'
export const preloadingPage = (segment: string): SignedInPage => `${SIGNED_IN_PAGE}/${segment}`
/** Without a first path segment. */
export const LIST_PAGE = preloadingPage('')
const FIRST_PAINT_SLOT = '<div id="root" data-first-paint></div>'

/** The page and everything it loads, ready to be served. */
export async function buildDashboard(): Promise<PackedFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [join(FOLDER, 'index.html')],
    root: FOLDER,
    target: 'browser',
    publicPath: PUBLIC_PATH,
    plugins: [withLateStyles, withoutIconKeys, withoutFunctionNames, withoutModalMenus, withoutUnusedFormats],
    splitting: true,
    minify: true,
    // Makes Chromium compile on another thread, instead of on the main thread at the first call.
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
    return path === PUBLIC_PATH ? packPages(text, output.type, texts) : [pack(path, output.type, text)]
  })
  return Promise.all(packed)
}

/**
 * A style sheet that a script imports is added when the script runs: the first load, which styles/dashboard.css names, has only
 * what every page needs. The policy allows constructed style sheets, because only scripts can make them.
 */
const withLateStyles: BunPlugin = {
  name: 'with-late-styles',
  setup(build) {
    build.onResolve({ filter: /\.css$/ }, ({ path, importer, kind }) =>
      kind === 'import-statement'
        ? { path: join(dirname(importer), path), namespace: 'late-style' }
        : undefined,
    )
    build.onLoad({ filter: /\.css$/, namespace: 'late-style' }, async ({ path }) => ({
      contents: [
        'const sheet = new CSSStyleSheet()',
        `sheet.replaceSync(${JSON.stringify(await Bun.file(path).text())})`,
        'document.adoptedStyleSheets.push(sheet)',
      ].join('\n'),
      loader: 'js',
    }))
  },
}

/** Changes the text of packages' files. */
const edited = (filter: RegExp, edit: (text: string) => string): BunPlugin => ({
  name: `edited ${filter.source}`,
  setup(build) {
    build.onLoad({ filter }, async ({ path }) => ({
      contents: edit(await Bun.file(path).text()),
      loader: 'js',
    }))
  },
})

/** Each line of an icon has a random key, for warnings that React gives to developers, and icons have names that no style uses. */
const withoutIconKeys = edited(/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/, (text) =>
  text.replace(/, key: "\w+"/g, '').replace(/,\s*aliases: \[[^\]]*\]/, ''),
)

/** Radix sets the name of each of its functions by a call, for debuggers only: 3 KB on the wire. */
const withoutFunctionNames = edited(/@radix-ui\/[\w-]+\/dist\/index\.mjs$/, (text) =>
  text.replace(/^ *__name\(\w+, "\w+"\);$/gm, ''),
)

/** What modal menus need. Ours are not modal: it would inject styles, which the policy refuses. 4 KB on the wire. */
const withoutModalMenus: BunPlugin = {
  name: 'without-modal-menus',
  setup(build) {
    const replace = (filter: RegExp, contents: string) =>
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }))
    replace(
      /\/react-remove-scroll\/dist\/es2015\/index\.js$/,
      "export { Fragment as RemoveScroll } from 'react'",
    )
    replace(/\/aria-hidden\/dist\/es2015\/index\.js$/, 'export const hideOthers = () => () => {}')
  },
}

/** Two formats that uPlot makes when it is loaded, for labels and time zones that our chart does not use. */
const withoutUnusedFormats = edited(/\/uPlot\.esm\.js$/, (text) =>
  text
    .replace(/^const numFormatter = new Intl.*\nconst fmtNum = .*$/m, 'const fmtNum = String;')
    .replace(/^const localTz = new Intl.*$/m, 'const localTz = undefined;'),
)

/** A page with a place for a first paint is packed signed out, signed in, and signed in with the chunk of each page. */
function packPages(html: string, type: string, texts: Map<string, string>): Promise<PackedFile>[] {
  const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1]
  if (script === undefined) throw new Error('The page has no script.')
  // What the page's script imports when it runs is needed at once, unlike what other chunks import.
  const started = importsIn(texts, script, 'dynamic-import')
  const needed = [script, ...started, ...started.flatMap((path) => importsIn(texts, path, 'dynamic-import'))]
  // The only script that the first rows wait for.
  const plain = withPreloads(html, texts, needed).replace('<script ', '<script fetchpriority="high" ')
  if (!html.includes(FIRST_PAINT_SLOT)) return [pack(PUBLIC_PATH, type, plain)]
  const signedIn = withFirstPaint(plain, 'signed-in')
  return [
    pack(PUBLIC_PATH, type, withFirstPaint(plain, 'signed-out')),
    pack(SIGNED_IN_PAGE, type, signedIn),
    pack(LIST_PAGE, type, withFirstPaint(plain, 'list')),
    ...Object.entries(CHUNK_OF_PAGE).map(([segment, name]) =>
      pack(preloadingPage(segment), type, withPreloads(signedIn, texts, [chunkNamed(name, texts)])),
    ),
  ]
}

function chunkNamed(name: string, texts: Map<string, string>): string {
  const chunk = [...texts.keys()].find((path) => path.startsWith(`${PUBLIC_PATH}assets/${name}-`))
  if (chunk === undefined) throw new Error(`There is no chunk ${name}.`)
  return chunk
}

/** The first paint is in the HTML, so that it is shown before the script has loaded. */
function withFirstPaint(html: string, name: FirstPaintName): string {
  const look = renderToStaticMarkup(createElement(FirstPaint, { name, base: '/dashboard' }))
  return html.replace(FIRST_PAINT_SLOT, () => `<div id="root" data-first-paint="${name}">${look}</div>`)
}

const publicPathOf = (outputPath: string): string =>
  outputPath.endsWith('.html') ? PUBLIC_PATH : PUBLIC_PATH + outputPath.replace(/^\.\//, '')

const transpiler = new Bun.Transpiler({ loader: 'js' })

const importsIn = (texts: Map<string, string>, path: string, wanted: 'import-statement' | 'dynamic-import') =>
  transpiler.scanImports(texts.get(path) ?? '').flatMap(({ kind, path }) => (kind === wanted ? [path] : []))

/** Names these chunks and their imports in the page. Otherwise the browser finds each only after its importer. */
function withPreloads(html: string, texts: Map<string, string>, chunks: readonly string[]): string {
  const needed = new Set(chunks)
  for (const path of needed) {
    for (const imported of importsIn(texts, path, 'import-statement')) needed.add(imported)
  }
  const links = [...needed]
    .filter((path) => !html.includes(path))
    .map((path) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${path}">`)
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
  const brText = smaller(br)
  const gzipText = smaller(gz)
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
  await writeFile(written, JSON.stringify(await buildDashboard()))
  await rename(written, target)
}
