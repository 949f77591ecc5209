import { afterAll } from 'bun:test'
import { closeShared } from './process-end.ts'

// Preloaded: then its hook runs once, after the last file of the process, and not after each.

const CLOSE_MS_MAX = 60_000

afterAll(closeShared, CLOSE_MS_MAX)
