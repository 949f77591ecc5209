import { childrenOf } from '../../../bench/rigs/measure.ts'
import { ClickStoreRig } from '../clicks/click-store-rig.ts'

/** Keeps an engine busy until it is killed; prints the id of its process. */
const rig = await ClickStoreRig.open(process.argv[2]!)
rig.add(Array.from({ length: 100 }, (_, i) => ({ link_id: i })))
await rig.total()
console.log(childrenOf(process.pid)[0])
for (;;) await Promise.all([rig.total(), rig.engine.call('closeClicks', { upToId: 100 })])
