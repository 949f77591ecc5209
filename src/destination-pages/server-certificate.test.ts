import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { clientOf } from '../../test/rigs/outside/guarded-client-rig.ts'
import {
  type PageServer,
  PRIVATE_IP,
  PUBLIC_IP,
  startPageServer,
} from '../../test/rigs/outside/page-server.ts'
import { hasNoOpenssl, startTlsHosts, type TlsHosts } from '../../test/rigs/http/tls-hosts.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import type { GuardedClientDeps } from './guarded-client.ts'
import type { CertificateResult } from './server-certificate.ts'
import { DAY_US, systemClock } from '../runtime/clock.ts'

describe.skipIf(hasNoOpenssl())('the certificate of a host', () => {
  const folders = temporaryFolders()
  let hosts: TlsHosts
  let plain: PageServer

  beforeAll(async () => {
    hosts = await startTlsHosts(folders.make())
    plain = await startPageServer()
  })
  afterAll(stopHosts)

  test('that an authority has signed is valid until its end', async () => {
    hosts.certify('good.example', { days: 9 })
    await expectFound('good.example', 'valid', 9)
  })

  test('is named with its end when it has expired, is self-signed or for another host', async () => {
    hosts.certify('old.example', { days: -1 })
    hosts.certify('own.example', { isSelfSigned: true })
    hosts.certify('wrong.example', { of: 'other.example' })
    hosts.certify('deep.wrong.example', { of: '*.example' })
    // The end says that it has expired.
    await expectFound('old.example', 'valid', -1)
    await expectFound('own.example', 'self_signed', 60)
    await expectFound('wrong.example', 'wrong_host', 60)
    // A wildcard is for one label.
    await expectFound('deep.wrong.example', 'wrong_host', 60)
  })

  test('of an intermediate authority is valid only with the certificate of that one', async () => {
    hosts.certify('chain.example', { intermediate: 'sent' })
    hosts.certify('alone.example', { intermediate: 'missing' })
    await expectFound('chain.example', 'valid', 60)
    await expectFound('alone.example', 'incomplete_chain', 60)
  })

  test('of an authority that the machine does not know is not trusted', async () => {
    hosts.certify('private.example', { intermediate: 'sent' })
    expect(await look('private.example', { authorities: undefined })).toMatchObject({ result: 'untrusted' })
  })

  test('is missing where nothing answers with TLS', async () => {
    const nothing = { result: 'no_answer', endsUs: null } as const
    expect(await look('unknown.example')).toEqual(nothing)
    expect(await look('plain.example', { port: plain.port })).toEqual(nothing)
    await plain.stop()
    expect(await look('gone.example', { port: plain.port })).toEqual(nothing)
    expect(await look('late.example', { signal: AbortSignal.abort() })).toEqual(nothing)
  })

  test('is not looked at on addresses that are not public, nor on hosts that have none', async () => {
    hosts.certify('inside.example')
    expect(hosts.connections()).toBeGreaterThan(0)
    const before = hosts.connections()
    for (const addresses of [[PRIVATE_IP], [PUBLIC_IP, PRIVATE_IP], []])
      expect(await look('inside.example', { resolve: async () => addresses })).toBeUndefined()
    expect(await look('inside.example', { isAllowedAddress: () => false })).toBeUndefined()
    expect(await look('localhost')).toBeUndefined()
    expect(hosts.connections()).toBe(before)
  })

  async function stopHosts(): Promise<void> {
    await hosts?.stop()
    await plain?.stop()
    folders.remove()
  }

  type Look = Partial<GuardedClientDeps> & { port?: number; signal?: AbortSignal }

  const look = (
    host: string,
    { port = hosts.port, signal = new AbortController().signal, ...changed }: Look = {},
  ) =>
    clientOf({ authorities: [hosts.authority], ...changed }).certificateOf(`https://${host}:${port}`, signal)

  const inDays = (days: number) => {
    const us = systemClock.nowUs() + days * DAY_US
    return { from: us - DAY_US, to: us + DAY_US }
  }

  async function expectFound(host: string, result: CertificateResult, days: number): Promise<void> {
    const found = await look(host)
    const { from, to } = inDays(days)
    expect([found?.result, found!.endsUs! > from, found!.endsUs! < to]).toEqual([result, true, true])
  }
})
