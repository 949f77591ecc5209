import { join } from 'node:path'

/** Starts one of the scripts beside this file as a process of its own. */
export function startScript(name: string, ...args: string[]) {
  return Bun.spawn([process.execPath, join(import.meta.dir, name), ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs it to its end; what it printed, or an error with what it complained about. */
export async function runScript(name: string, ...args: string[]): Promise<string> {
  const child = startScript(name, ...args)
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${name} ended with ${child.exitCode}: ${complaints}`)
  return output
}
