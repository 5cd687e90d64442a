/** The part of the ESLint plugin interface that these rules use; oxlint implements it. */

export interface Node {
  readonly type: string
}

export interface Name extends Node {
  readonly name?: string
}

/** `import … from`, `export … from` and `import()`. */
export interface ModuleReference extends Node {
  readonly source: (Node & { readonly value?: unknown }) | null
}

export interface MemberExpression extends Node {
  readonly object: Name
  readonly property: Name
}

/** `f(…)` and `new F(…)`. */
export interface Call extends Node {
  readonly callee: Name
  readonly arguments: readonly unknown[]
}

export interface BinaryExpression extends Node {
  readonly operator: string
  readonly left: Node
  readonly right: Node
}

interface Visitor {
  BinaryExpression?(node: BinaryExpression): void
  ImportDeclaration?(node: ModuleReference): void
  ExportAllDeclaration?(node: ModuleReference): void
  ExportNamedDeclaration?(node: ModuleReference): void
  ImportExpression?(node: ModuleReference): void
  MemberExpression?(node: MemberExpression): void
  CallExpression?(node: Call): void
  NewExpression?(node: Call): void
}

export interface Rule {
  create(context: {
    readonly filename: string
    report(problem: { readonly node: Node; readonly message: string }): void
  }): Visitor
}
