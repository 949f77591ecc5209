import { expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { UNHEARD } from '../../../test/rigs/service/creation.ts'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'
import { openMetrics, newSharedMetrics } from '../../metrics/metrics.ts'
import { systemClock } from '../../runtime/clock.ts'
import { openStore } from '../../store/open-store.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'
import { PasswordForms } from './enter-password.ts'
import { PasswordAttempts } from './password-attempts.ts'

const folders = useSharedFolders()

test('a password that was not checked, because too many are, is no wrong one', async () => {
  const store = await openStore({ dataDir: folders.make() }, 'same-thread')
  const { workspaceId } = await addAccount(store.db, { email: 'owner@example.com' })
  const passwords = new PasswordQueue()
  const passwordHash = await passwords.hash('right')
  const link = {
    workspace_id: workspaceId,
    code: 'busy',
    svc_id: '',
    title: '',
    is_active: 1,
    original_url: 'https://example.com/',
    target_url: null,
    password_hash: passwordHash,
    created_at: NOON_US,
    updated_at: NOON_US,
  }
  const { id } = await store.db.insertInto('links').values(link).returning('id').executeTakeFirstOrThrow()
  const code = { code: 'busy', workspace_id: workspaceId, link_id: id }
  const { domain_id: domainId } = await store.db
    .insertInto('codes')
    .values(code)
    .returning('domain_id')
    .executeTakeFirstOrThrow()
  const forms = new PasswordForms({
    db: store.readDb,
    clock: systemClock,
    baseUrl: 'https://s.example',
    attempts: new PasswordAttempts({ clock: systemClock, passwords }),
    passwords,
    edits: { db: store.db, clock: systemClock, ...UNHEARD },
    openLink: async () => ({ status: 403, headers: {}, body: '' }),
    refusals: openMetrics(newSharedMetrics()).rateLimitRefusals.network,
  })
  const enter = async (body: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    const visit = { domainId, code: 'busy', method: 'POST', host: 's.example', query: '', ip: '203.0.113.9' }
    const bytes = new TextEncoder().encode(body).buffer
    const sent = { headers: new Headers({ ...headers, Accept: 'application/json' }), body: bytes }
    const met = await forms.enter([{ ...visit, header: (name) => sent.headers.get(name) }], sent)
    return [met?.status, String(JSON.parse(met?.body || '{}').message)] as const
  }
  // The queue makes a hash of its own before anything is in line.
  await passwords.verify('', undefined)
  // One is checked for seconds, and as many as may wait do.
  const slow = await Bun.password.hash('right', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 100 })
  const others = [slow, ...Array.from({ length: 50 }, () => passwordHash)].map((hash) =>
    passwords.verifyOfLink(workspaceId, 'wrong', hash),
  )
  await new Promise(setImmediate)
  for (let n = 0; n < 12; n++) expect((await enter('password=wrong'))[0]).toBe(503)
  await Promise.all(others)
  const tooLong = `password=${'x'.repeat(5_000)}`
  expect(await enter(tooLong)).toEqual([403, expect.stringContaining('9 attempts are left')])
  expect((await enter('password=right'))[0]).toBe(303)
  await store.close()
})
