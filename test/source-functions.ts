import { parseSync } from 'oxc-parser'
import type { SourceFile } from './source-files.ts'

type FoundFunction = { path: string; line: () => number; name: string; lines: number; parameters: number }

/** A node of the syntax tree, in ESTree's form. */
type Node = { type: string; start: number; end: number; [key: string]: unknown }

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Every function, method, constructor and arrow of a file, those inside others included. */
export function functionsOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): FoundFunction[] {
  const found: FoundFunction[] = []
  const visit = (node: Node, parent: Node | undefined) => {
    if (FUNCTIONS.includes(node.type)) {
      const linesUpTo = (offset: number, from = 0) => text.slice(from, offset).split('\n').length
      const parameters = (node['params'] as Node[]).length
      found.push({
        path,
        // Worked out for violations only.
        line: () => linesUpTo(node.start),
        name: nameOf(node, parent),
        lines: linesUpTo(node.end, node.start),
        parameters,
      })
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node)
    }
  }
  visit(parseSync(path, text).program as unknown as Node, undefined)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

function nameOf(node: Node, parent: Node | undefined): string {
  const named = [node['id'], parent?.['key'], parent?.['id']].find(isNode)
  return String(named?.['name'] ?? 'an arrow function')
}
