import { expect, test } from 'bun:test'
import { mediaExample } from '../../src/http/pages/reference/example-value.ts'
import { groupOperations, type Operation } from '../../src/http/pages/reference/list-operations.ts'
import { resolve, type RequestBody, type Response } from '../../src/http/pages/reference/openapi-document.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DOCUMENT, ENDPOINTS, useOwnContractRig } from './contract-rig.ts'

// What the reference shows can be pasted, and what it shows as the answer is one.

const rig = useOwnContractRig()
const caller = useCaller(rig)

// Short URLs answer with pages and pictures.
const OPERATIONS = groupOperations(DOCUMENT)
  .flatMap(({ operations }) => operations)
  .filter(({ path }) => path.startsWith('/api/'))
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('every body in the reference does what it says, in the order of the reference', async () => {
  const tags = await makeLabels('/api/tags')
  const folders = await makeLabels('/api/folders')
  for (const operation of OPERATIONS.filter(hasJsonBody)) {
    const { method, path } = operation
    const [first, second] = path.startsWith('/api/tags') ? tags : folders
    // The first one is merged into the second before the reference comes to what is shared.
    const ofLabels = path.endsWith('/share') ? second : first
    // The first import is the example of the reference.
    const id = /^\/api\/import(s|-jobs)/.test(path) ? 1 : ofLabels
    const example = sentExample(operation) as object
    // It is about what was checked.
    if (path.endsWith('/choices'))
      await rig.store.db.updateTable('import_jobs').set({ state: 'checked', counts: COUNTS }).execute()
    const url = path
      .replace('{short_code}', 'launch')
      .replace('{host}', 'go.example.com')
      .replace('{id}', String(id))
    const body = 'into' in example ? { into: second } : example
    const { status, text } = await rig.call(method.toUpperCase(), url, { key: caller.key, body })
    const { status: done } = endpointOf(operation).answer
    expect({ operation: nameOf(operation), status, text }).toMatchObject({ status: done })
  }
})

test.each(OPERATIONS.map((operation) => [nameOf(operation), operation] as const))(
  'the answer that the reference shows for %s could be one, and has no filler in it',
  (_, operation) => {
    const { answer } = endpointOf(operation)
    const { content } = resolve<Response>(DOCUMENT, operation.object.responses![answer.status]!)
    for (const media of Object.values(content!)) {
      const example = mediaExample(DOCUMENT, media)
      expect(answer.schema.parse(example)).toEqual(example)
      expect(JSON.stringify(example)).not.toContain('"string"')
    }
  },
)

const endpointOf = (operation: Operation) => ENDPOINTS.find((one) => nameOf(one) === nameOf(operation))!

const COUNTS = JSON.stringify({ created: 0, equal: 0, conflicts: 0, refused: 0, oldCodes: 0 })

function hasJsonBody({ object }: Operation): boolean {
  const { requestBody } = object
  return (
    requestBody !== undefined && 'application/json' in resolve<RequestBody>(DOCUMENT, requestBody).content!
  )
}

function sentExample({ object }: Operation): unknown {
  const { content } = resolve<RequestBody>(DOCUMENT, object.requestBody!)
  return mediaExample(DOCUMENT, content!['application/json']!)
}

/** Two labels of a kind, by their IDs: examples name them 1 and 2. */
async function makeLabels(path: string): Promise<number[]> {
  const ids: number[] = []
  for (const name of ['First', 'Second']) {
    ids.push((await rig.call('POST', path, { key: caller.key, body: { name } })).body.data.id)
  }
  return ids
}
