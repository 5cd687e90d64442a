/** Restrict the environment and the clock of the host to one module each. */
import type { MemberExpression, Node, Rule } from './rule.ts'

const names = ({ object, property }: MemberExpression): string =>
  `${object.name ?? ''}.${property.name ?? ''}`

export const environment: Rule = {
  create(context) {
    return {
      MemberExpression(node) {
        if (names(node) === 'process.env')
          context.report({ node, message: 'Only platform/settings/environment.ts reads the environment.' })
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
          'Use `clock` of platform/time/clock.ts, which follows the database, or performance.now() for durations.',
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
