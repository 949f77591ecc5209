import { shlink } from './shlink-truth.ts'

export const PROGRAMS = [shlink]
