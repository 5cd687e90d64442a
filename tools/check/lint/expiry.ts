/**
 * Forbids expiring things by a clock that may be wrong: `clock.now()` and `clock.date()` must be neither
 * compared nor turned into a cutoff. A comparison whose result can be undone, such as a liveness check, reads
 * the time into a constant first.
 */
import type { BinaryExpression, Call, MemberExpression, Node, Rule } from './rule.ts'

const relational = new Set(['<', '<=', '>', '>='])

function readsClock(node: Node): boolean {
  if (node.type === 'BinaryExpression') {
    const { left, right } = node as BinaryExpression
    return readsClock(left) || readsClock(right)
  }
  if (node.type !== 'CallExpression') return false
  const { object, property } = (node as Call).callee as unknown as MemberExpression
  const isClock = (object as Node | undefined)?.type === 'Identifier' && object.name === 'clock'
  return isClock && ['now', 'date'].includes(property.name ?? '')
}

export const expiry: Rule = {
  create(context) {
    const report = (node: Node): void =>
      context.report({
        node,
        message:
          'Nothing may expire while clocks disagree: use clock.hasPassed() or clock.cutoff(). If the result can be undone, read the time into a constant first.',
      })
    return {
      BinaryExpression(node) {
        if (relational.has(node.operator) && readsClock(node)) report(node)
      },
      NewExpression(node) {
        const [argument] = node.arguments as readonly Node[]
        if (node.callee.name !== 'Date' || argument?.type !== 'BinaryExpression') return
        const { operator, left } = argument as BinaryExpression
        if (operator === '-' && left.type === 'CallExpression' && readsClock(left)) report(node)
      },
    }
  },
}
