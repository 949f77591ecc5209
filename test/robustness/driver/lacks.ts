import { findHaproxy } from './haproxy.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { findPostgres } from '../../rigs/store/postgres-server.ts'
import { skipBecause } from '../../skips.ts'

const NEEDS = {
  postgresql: { isHere: () => findPostgres() !== undefined, howToGet: 'apt-get install postgresql' },
  haproxy: { isHere: () => findHaproxy() !== undefined, howToGet: 'apt-get install haproxy' },
  'small disks': { isHere: canMount, howToGet: 'run the tests as root' },
}

/** For the condition of `describe.skipIf`: whether something is not here that a suite needs. The run says so at its end. */
export function lacks(what: string, ...needs: (keyof typeof NEEDS)[]): boolean {
  const missing = needs.find((need) => !NEEDS[need].isHere())
  return missing !== undefined && skipBecause(what, NEEDS[missing].howToGet)
}

function canMount(): boolean {
  const disk = mountSmallDisk(1)
  disk?.unmount()
  return disk !== undefined
}
