import { WorkspacePlaces } from '../../limits/workspace-places.ts'
import type { ComputeChannel } from './compute-channel.ts'

/** One at a time, so that a page of a destination never waits for more than one drawing. */
const PLACES = { running: 1, runningOfOne: 1, waiting: 200, waitingOfOne: 20 }

type QrPicture = Parameters<typeof ComputeChannel.prototype.run<'drawQr'>>[1]

/** Draws QR codes in the style of a workspace on the compute thread. Workspaces take turns. */
export class QrDrawer {
  readonly #compute: ComputeChannel
  readonly #places = new WorkspacePlaces(PLACES, 'Too many QR codes are being drawn.')

  constructor(compute: ComputeChannel) {
    this.#compute = compute
  }

  draw(workspaceId: number, picture: QrPicture): Promise<string | Uint8Array> {
    return this.#places.run(workspaceId, () => this.#compute.run('drawQr', picture))
  }

  preview(workspaceId: number, picture: Omit<QrPicture, 'format'>) {
    return this.#places.run(workspaceId, () => this.#compute.run('previewQr', picture))
  }
}
