import { pastedCode } from '../../codes/forgiven-code.ts'
import type { Call, Command, Option } from '../command.ts'
import { type ApiAnswer, type ApiRequest, callApi, SERVER_OPTIONS, serverOf } from '../links/call-api.ts'
import * as texts from '../links/api-texts.ts'
import { type FieldOptions, fieldsOf, optionsOf } from '../links/field-options.ts'
import { EDIT_OPTIONS, linkEditOf, NEW_LINK_OPTIONS, newLinkOf } from '../links/link-field-options.ts'
import { LIST_OPTIONS, PAGE_OPTIONS, VISIT_OPTIONS } from '../links/list-options.ts'

/** A command that is one request to the API of a running server. */
type ApiCommand = Omit<Command, 'run' | 'options'> & {
  options?: Record<string, Option>
  request(call: Call): ApiRequest | Promise<ApiRequest>
  /** What is printed without --json. */
  text(answer: ApiAnswer, call: Call): string
}

const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print the JSON of the API.' } } as const
const DOMAIN_OPTION = {
  domain: { type: 'string', value: 'host', meaning: 'Its domain, where several have the code.' },
} as const
const LINK = ['<code or short URL>']

const LINK_COMMANDS: ApiCommand[] = [
  {
    name: 'link create',
    words: ['<url>'],
    summary: 'Create a short link to a URL, on a running server, with an API key.',
    options: NEW_LINK_OPTIONS,
    request: async (call) => ({ method: 'POST', path: '/api/links', body: await newLinkOf(call) }),
    text: texts.shortUrl,
  },
  {
    name: 'link show',
    words: LINK,
    summary: 'Show a link.',
    options: DOMAIN_OPTION,
    request: (call) => ofLink(call, 'GET'),
    text: texts.linkDetails,
  },
  {
    name: 'link list',
    summary: 'List links, the newest first. Filters combine.',
    options: optionsOf(LIST_OPTIONS),
    request: (call) => withQuery(LIST_OPTIONS, call, { method: 'GET', path: '/api/links' }),
    text: texts.linkList,
  },
  {
    name: 'link edit',
    words: LINK,
    summary: 'Change a link. What no option names stays as it is.',
    options: { ...EDIT_OPTIONS, ...DOMAIN_OPTION },
    request: async (call) => ({ ...ofLink(call, 'PUT'), body: await linkEditOf(call) }),
    text: texts.message,
  },
  {
    name: 'link disable',
    words: LINK,
    summary: 'Stop redirecting. The link keeps its code, clicks and settings.',
    options: DOMAIN_OPTION,
    request: (call) => ({ ...ofLink(call, 'PUT'), body: { is_active: false } }),
    text: (_, { words: [code] }) => `${code} is disabled.`,
  },
  {
    name: 'link enable',
    words: LINK,
    summary: 'Redirect again.',
    options: DOMAIN_OPTION,
    request: (call) => ({ ...ofLink(call, 'PUT'), body: { is_active: true } }),
    text: (_, { words: [code] }) => `${code} is enabled.`,
  },
  {
    name: 'link explain',
    words: LINK,
    summary: 'Say what a visitor would meet and whether it would count, and why. Counts nothing.',
    options: { ...optionsOf(VISIT_OPTIONS), ...DOMAIN_OPTION },
    request: (call) => withQuery(VISIT_OPTIONS, call, ofLink(call, 'GET', '/resolve')),
    text: texts.explanation,
  },
  {
    name: 'link history',
    words: LINK,
    summary: 'List the versions of a link, the newest first.',
    options: { ...optionsOf(PAGE_OPTIONS), ...DOMAIN_OPTION },
    request: (call) => withQuery(PAGE_OPTIONS, call, ofLink(call, 'GET', '/versions')),
    text: texts.versionList,
  },
  {
    name: 'link restore-version',
    words: [...LINK, '<version>'],
    summary: 'Give a link the fields that it had as of a version.',
    options: DOMAIN_OPTION,
    request: (call) => ofLink(call, 'POST', `/versions/${encodeURIComponent(call.words[1]!)}/restore`),
    text: texts.message,
  },
  {
    name: 'link delete',
    words: LINK,
    summary: 'Move a link to the trash. Its code stays yours.',
    options: {
      'from-trash': { type: 'boolean', meaning: 'Delete a link in the trash for good.' },
      ...DOMAIN_OPTION,
    },
    request: (call) =>
      call.isSet('from-trash')
        ? { ...ofLink(call, 'DELETE'), path: `/api/trash/${namedLink(call).code}` }
        : ofLink(call, 'DELETE'),
    text: texts.message,
  },
  {
    name: 'link delete-clicks',
    words: LINK,
    summary: 'Delete the clicks that a link has had. This cannot be undone; the link stays.',
    options: DOMAIN_OPTION,
    request: (call) => ofLink(call, 'DELETE', '/clicks'),
    text: texts.deletedClicks,
  },
  {
    name: 'link trash',
    summary: 'List the deleted links that can be restored, the last deleted first.',
    options: optionsOf(PAGE_OPTIONS),
    request: (call) => withQuery(PAGE_OPTIONS, call, { method: 'GET', path: '/api/trash' }),
    text: texts.trashList,
  },
  {
    name: 'link restore',
    words: LINK,
    summary: 'Restore a deleted link, with its clicks and settings.',
    options: DOMAIN_OPTION,
    request: (call) => ofLink(call, 'POST', '/restore'),
    text: texts.message,
  },
]

/** As people copy it: also without its scheme. Without one, the part before the slash is a host if it has a dot or a port. */
const SHORT_URL = /^(?:https?:\/\/(?<host>[^/?#]+)|(?<name>[^/?#]*[.:][^/?#]*|localhost))\/(?<path>.+)$/i

/** A short URL says the domain, too. With `--domain`, the word is a code, whatever is in it. */
function namedLink(call: Call) {
  const word = call.words[0]!.trim()
  const named = call.text('domain')
  const { host, name = host, path = word } = (named === undefined && SHORT_URL.exec(word)?.groups) || {}
  const domain = named ?? name?.toLowerCase()
  const code = encodeURIComponent(pastedCode(path) ?? path)
  return { code, query: domain === undefined ? {} : { domain } }
}

function ofLink(call: Call, method: ApiRequest['method'], rest = ''): ApiRequest {
  const { code, query } = namedLink(call)
  return { method, path: `/api/links/${code}${rest}`, query }
}

const withQuery = async (parameters: FieldOptions, call: Call, request: ApiRequest): Promise<ApiRequest> => ({
  ...request,
  query: { ...request.query, ...(await fieldsOf(parameters, call)) },
})

export const linkCommands: Command[] = LINK_COMMANDS.map(({ options, request, text, ...command }) => ({
  ...command,
  options: { ...options, ...JSON_OPTION, ...SERVER_OPTIONS },
  async run(call, { readConfig, print }) {
    const server = serverOf(call, readConfig())
    const { answer, sent } = await callApi(server, await request(call))
    print(call.isSet('json') ? sent : text(answer, call))
  },
}))
