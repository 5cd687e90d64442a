/** Rules against reading what only one module may read: the environment, and the clock of the host. */
import type { MemberExpression, Node, Rule } from './rule.ts'

const names = ({ object, property }: MemberExpression): string =>
  `${object.name ?? ''}.${property.name ?? ''}`

export const environment: Rule = {
  create(context) {
    return {
      MemberExpression(node) {
        if (names(node) === 'process.env')
          context.report({ node, message: 'Only platform/environment.ts reads the environment.' })
      },
    }
  },
}

export const hostClock: Rule = {
  create(context) {
    const report = (node: Node): void =>
      context.report({
        node,
        message:
          "Time is the database's: use `clock` of platform/clock.ts, or performance.now() for a duration.",
      })
    return {
      MemberExpression(node) {
        if (['Date.now', 'performance.timeOrigin'].includes(names(node))) report(node)
      },
      CallExpression(node) {
        if (node.callee.name === 'Date') report(node)
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node)
      },
    }
  },
}
