import { lockFolder } from '../../../src/store/files/folder-lock.ts'

/** Takes a folder, says so, and keeps it until it is killed; or says why it cannot have it. */
try {
  lockFolder(process.argv[2]!)
  console.log('held')
  setInterval(() => {}, 60_000)
} catch (error) {
  console.log((error as Error).message)
}
