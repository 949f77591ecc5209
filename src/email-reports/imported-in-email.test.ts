import { describe, expect, test } from 'bun:test'
import { partsOf } from '../../test/rigs/outside/mail-server.ts'
import { MONDAY_US, useReportRig, WEDNESDAY_US } from '../../test/rigs/service/report-readers.ts'
import { enginesToTest } from '../../test/rigs/store/test-store.ts'
import { replaceImportedClicks } from '../clicks/imported/imported-clicks.ts'
import { dayOf } from '../runtime/clock.ts'
import { transact } from '../store/transact.ts'

describe.each(enginesToTest('imported clicks in emails'))('reports on %s', (engine) => {
  const rig = useReportRig(engine)

  test('say how many clicks of these days were imported, and count them nowhere', async () => {
    const { workspaceId } = await rig.addReader()
    const day = dayOf(WEDNESDAY_US)
    await importClicks(
      workspaceId,
      new Map([
        [day, 1_204],
        [day - 30, 50],
      ]),
    )
    rig.clock.advance(MONDAY_US - WEDNESDAY_US)
    await rig.sender().run()
    const { headers, text } = partsOf(rig.mailServer.mails[0]!.source)
    expect(headers).toContain('Subject: 3 clicks from Nov 16 to Nov 22, 2026')
    expect(text.replaceAll('\r\n', '\n')).toContain(
      'Clicks: 3 (No change)\nImported clicks: + 1,204\nVisitors: 2 (No change)\n',
    )
  })

  async function importClicks(workspaceId: number, days: Map<number, number>): Promise<void> {
    await transact(rig.store.db, async (tx) => {
      const link = await tx
        .insertInto('links')
        .values(row(workspaceId))
        .returning('id')
        .executeTakeFirstOrThrow()
      const imported = { total: 1_300, days, values: {} }
      const lastDay = dayOf(WEDNESDAY_US)
      const kept = { imported, firstDay: lastDay - 60, lastDay }
      await replaceImportedClicks(tx, { linkId: link.id, workspaceId }, kept)
    })
  }
})

const row = (workspaceId: number) => ({
  workspace_id: workspaceId,
  code: 'imported',
  svc_id: '',
  original_url: 'https://example.com/',
  target_url: null,
  title: '',
  is_active: 1,
  created_at: 1,
  updated_at: 1,
})
