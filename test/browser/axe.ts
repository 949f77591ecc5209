import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

const AXE = await Bun.file(createRequire(import.meta.url).resolve('axe-core/axe.min.js')).text()

/** For every document of a browser: sending axe to each that is checked takes longer than the check. It is compiled only where it runs. */
export const addAxe = (context: BrowserContext) =>
  context.addInitScript(`globalThis.defineAxe = () => { ${AXE} }`)

/** Those of axe whose answers depend on colors. In the dark theme, nothing but colors is different. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** `only the colors`: of a page that passed in another theme. `all but the colors`: of one that passed in a wider window. */
export type AxeRules = 'all' | 'only the colors' | 'all but the colors'

/** What axe finds wrong with the page as it is now: rule and place. */
export const axeFindings = (page: Page, rules: AxeRules = 'all'): Promise<string[]> =>
  page.evaluate(async (options) => {
    const window = globalThis as any
    if (window.axe === undefined) window.defineAxe()
    const { violations } = await window.axe.run(document, options)
    return violations.flatMap(({ id, nodes }: any) =>
      nodes.map(({ target, failureSummary }: any) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  }, axeOptions(rules))

const axeOptions = (rules: AxeRules) => ({
  resultTypes: ['violations'],
  ...(rules === 'only the colors' && { runOnly: COLOR_RULES }),
  ...(rules === 'all but the colors' && {
    rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])),
  }),
})
