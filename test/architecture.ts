import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** A file of the tree: its path from the repository root, with slashes, and its text. */
export type SourceText = { readonly path: string; readonly text: string }

const BELOW_APP = [
  'conversations',
  'agent',
  'answer',
  'search',
  'ingest',
  'text',
  'system',
  'errors',
]
const BELOW_FACES = ['app', 'wire', 'config', ...BELOW_APP]

/** What each layer may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['server', 'mcp', ...BELOW_FACES],
  server: BELOW_FACES,
  mcp: BELOW_FACES,
  index: BELOW_FACES,
  qwen: BELOW_FACES,
  app: ['wire', 'config', ...BELOW_APP],
  wire: ['errors'],
  conversations: ['agent', 'answer', 'search', 'ingest', 'text', 'system', 'errors'],
  agent: ['answer', 'search', 'ingest', 'text', 'system', 'errors'],
  answer: ['search', 'ingest', 'text', 'system', 'errors'],
  search: ['ingest', 'text', 'system', 'errors'],
  ingest: ['text', 'system', 'errors'],
  text: ['errors'],
  system: ['errors'],
  config: ['wire', 'errors'],
  errors: [],
  web: ['wire'], // types only
}

/** The folders of a layer that has several, from the ground up: each may import those before it. */
const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'src/ingest': ['parse', 'chunk', 'store', 'embed', 'work', 'sources'],
  'src/ingest/parse': ['detection', 'ocr', 'tables', 'parsers', 'isolation'],
  'src/ingest/store': ['blobs', 'catalog', 'catalogs', 'contents'],
  'src/ingest/sources': ['folders', 'web', 'connectors'],
  'src/search': [
    'passages',
    'readers',
    'lance',
    'weaviate',
    'corrections',
    'rank',
    'rerankers',
    'stages',
    'evaluation',
  ],
  'src/answer': ['question', 'tables', 'evidence', 'quoting', 'citations'],
  'src/agent': ['memory', 'models', 'tools', 'groundings', 'agents', 'export'],
  'src/app': [
    ...['stores', 'indexing', 'documents', 'erasure', 'searching', 'checks', 'inventory', 'events'],
    ...['sources', 'batches'],
    ...['audit', 'agents', 'answer-page', 'evaluation', 'tenants'],
  ],
  'src/server': [
    ...['http', 'openapi', 'search', 'generation', 'documents', 'files', 'vector-stores'],
    ...['chat', 'responses', 'conversations', 'threads'],
  ],
}
const FACES = ['cli', 'server', 'mcp', 'index', 'qwen']

/** Packages that speak a face's protocol. The MCP client is an adapter among the agent's tools, so it is not one. */
const FACE_PACKAGES = [
  /^hono(?:[-/]|$)/,
  /^@hono\//,
  /^commander$/,
  /^@modelcontextprotocol\/(?!client|core|sdk\/client)/,
]
const FORBIDDEN_NAMES = ['utils', 'util', 'helpers', 'helper', 'common', 'types']
const MAX_FILE_LINES = 400
const MAX_TEST_LINES = 600
const MAX_FOLDER_FILES = 30
const MAX_FUNCTION_LINES = 60

/** Everything in these sources that the architecture forbids, one sentence each. */
export function findProblems(sources: readonly SourceText[]): string[] {
  const paths = new Set(sources.map(source => source.path))
  const parsed = sources.map(parse)
  const imports = new Map(parsed.map(file => [file.path, importsOf(file, paths)]))
  const perFile = parsed.flatMap(file => fileProblems(file, imports.get(file.path) ?? []))
  return [
    ...perFile,
    ...findCycles(imports),
    ...findDoorProblems(imports),
    ...findParseProblems(imports),
    ...findCrowdedFolders(paths),
  ]
}

/** Lists the imports of `src/ingest/parse` that lead out of it: of ingest it knows the types of blocks, and nothing else. */
function findParseProblems(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const isParse = (path: string) => path.startsWith('src/ingest/parse/')
  const isAllowed = (path: string) =>
    isParse(path) || !path.startsWith('src/ingest/') || path === 'src/ingest/block.ts'
  return [...imports].flatMap(([path, targets]) =>
    isParse(path)
      ? targets.flatMap(target =>
          isAllowed(target) ? [] : [`${path} imports ${target}: parse may not`],
        )
      : [],
  )
}

/** Lists the folders with more files side by side than a reader can look over. */
function findCrowdedFolders(paths: Iterable<string>): string[] {
  const folders = new Map<string, number>()
  for (const path of paths) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
  return [...folders].flatMap(([folder, files]) =>
    files > MAX_FOLDER_FILES ? [`${folder} has ${files} files, over ${MAX_FOLDER_FILES}`] : [],
  )
}

/** Names and lengths only: what also holds for tests and benchmarks. */
export function findUntidiness(sources: readonly SourceText[]): string[] {
  return sources.flatMap(source => [...nameProblems(source.path), ...lengthProblems(source)])
}

type ParsedFile = SourceText & { readonly layer: string | undefined; readonly root: ts.SourceFile }

function parse({ path, text }: SourceText): ParsedFile {
  return {
    path,
    text,
    layer: layerOf(path),
    root: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  }
}

function layerOf(path: string): string | undefined {
  const file = /^src\/(errors|config|app|cli|server|mcp|index|qwen)\.ts$/.exec(path)
  const folder =
    /^src\/(errors|config|text|system|ingest|search|answer|agent|conversations|wire|app|cli|server|mcp|qwen|web)\//.exec(
      path,
    )
  return file?.[1] ?? folder?.[1]
}

function fileProblems(file: ParsedFile, imports: readonly string[]): string[] {
  if (!file.layer) return [`${file.path} belongs to no layer`]
  return [
    ...imports.flatMap(target => importProblem(file.path, file.layer!, target) ?? []),
    ...(file.layer === 'web' ? codeImports(file) : []),
    ...nodesOf(file.root).flatMap(node => nodeProblem(file, node) ?? []),
    ...findUntidiness([file]),
  ]
}

function importProblem(path: string, layer: string, target: string): string | undefined {
  const targetLayer = layerOf(target)
  if (targetLayer)
    return mayImport(layer, targetLayer)
      ? undefined
      : `${path} imports ${target}: ${layer} may not import ${targetLayer}`
  const isFacePackage = FACE_PACKAGES.some(pattern => pattern.test(target))
  return isFacePackage && !FACES.includes(layer)
    ? `${path} imports ${target}: only faces may`
    : undefined
}

/** The page runs in a browser: of the rest it knows the types, of which nothing is left when it is built. */
function codeImports({ path, root }: ParsedFile): string[] {
  return nodesOf(root).flatMap(node => {
    if (!ts.isImportDeclaration(node) || node.importClause?.isTypeOnly) return []
    const specifier = specifierText(node.moduleSpecifier) ?? ''
    const isOutside = specifier.startsWith('.') && layerOf(join(dirname(path), specifier)) !== 'web'
    return isOutside ? [`${path} imports ${specifier}: web may import types only`] : []
  })
}

function mayImport(layer: string, target: string): boolean {
  return layer === target || (MAY_IMPORT[layer]?.includes(target) ?? false)
}

function nodeProblem({ path, layer, root }: ParsedFile, node: ts.Node): string | undefined {
  const place = () => `${path}:${root.getLineAndCharacterOfPosition(node.getStart(root)).line + 1}`
  if (node.kind === ts.SyntaxKind.AnyKeyword) return `${place()} says any`
  if (path !== 'src/config.ts' && readsFromProcess(node, 'env'))
    return `${place()} reads the environment: only src/config.ts may`
  if (!FACES.includes(layer!) && readsFromProcess(node, 'argv') && !isChildProcess(root))
    return `${place()} reads argv: only faces may`
  if (!isFunction(node)) return undefined
  const lines = node.getText(root).split('\n').length
  return lines > MAX_FUNCTION_LINES
    ? `${place()} is a function of ${lines} lines, over ${MAX_FUNCTION_LINES}`
    : undefined
}

/** A file that answers `process.send` is started by a parent of ours, and its argv is the parent's, not the user's. */
function isChildProcess(root: ts.SourceFile): boolean {
  return nodesOf(root).some(node => readsFromProcess(node, 'send'))
}

/** `process.env`, `process['env']`, `const { env } = process`, `import { env } from 'node:process'`. */
function readsFromProcess(node: ts.Node, member: string): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === member && isProcess(node.expression)
  if (ts.isElementAccessExpression(node))
    return (
      ts.isStringLiteralLike(node.argumentExpression) &&
      node.argumentExpression.text === member &&
      isProcess(node.expression)
    )
  if (ts.isBindingElement(node))
    return (
      (node.propertyName ?? node.name).getText() === member &&
      isProcess(initializerOf(node.parent.parent))
    )
  if (ts.isImportSpecifier(node))
    return (node.propertyName ?? node.name).text === member && isFromProcess(node)
  return false
}

function isProcess(node: ts.Node | undefined): boolean {
  return node !== undefined && /^(?:globalThis\??\.)?process$/.test(node.getText())
}

function initializerOf(node: ts.Node): ts.Node | undefined {
  return ts.isVariableDeclaration(node) ? node.initializer : undefined
}

function isFromProcess(node: ts.ImportSpecifier): boolean {
  return /^(?:node:)?process$/.test(specifierText(node.parent.parent.parent.moduleSpecifier) ?? '')
}

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function nameProblems(path: string): string[] {
  const names = path.replace(/\.[cm]?tsx?$/, '').split('/')
  return names.some(name => FORBIDDEN_NAMES.includes(name))
    ? [`${path} is named after nothing that it knows`]
    : []
}

function lengthProblems({ path, text }: SourceText): string[] {
  const lines = text.trimEnd().split('\n').length
  const most = path.startsWith('src/') ? MAX_FILE_LINES : MAX_TEST_LINES
  return lines > most ? [`${path} has ${lines} lines, over ${most}`] : []
}

/** Paths of the tree and names of packages that a file imports, types and dynamic imports included. */
function importsOf(file: ParsedFile, paths: ReadonlySet<string>): string[] {
  const specifiers = nodesOf(file.root).flatMap(node => specifierOf(node) ?? [])
  return [...new Set(specifiers)].map(specifier => resolve(file.path, specifier, paths))
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return specifierText(node.moduleSpecifier)
  if (ts.isExternalModuleReference(node)) return specifierText(node.expression)
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? specifierText(node.argument.literal) : undefined
  if (ts.isCallExpression(node) && /^(?:import|require)$/.test(node.expression.getText()))
    return specifierText(node.arguments[0])
  if (ts.isCallExpression(node) || ts.isNewExpression(node))
    return moduleAddress(node.arguments ?? [])
  return undefined
}

/** Returns the module that a child process or a worker starts from: `new URL('./x.js', import.meta.url)`, `childEntry('./x', import.meta.url)`. */
function moduleAddress([specifier, base]: readonly ts.Node[]): string | undefined {
  const text = specifierText(specifier)
  return text?.startsWith('.') && base?.getText() === 'import.meta.url' ? text : undefined
}

function specifierText(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined
}

function resolve(importer: string, specifier: string, paths: ReadonlySet<string>): string {
  if (!specifier.startsWith('.')) return specifier
  const path = join(dirname(importer), specifier)
  const stem = path.replace(/\.[jt]sx?$/, '')
  return [path, `${stem}.ts`, `${stem}/index.ts`].find(candidate => paths.has(candidate)) ?? path
}

type Door = { readonly parent: string; readonly from: string; readonly to: string }

/** Folders side by side have an order: where one imports the other, that one does not import it. */
function findDoorProblems(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const doors = new Map<string, Door & { readonly example: string }>()
  for (const [path, targets] of imports) {
    for (const target of targets) {
      const door = doorBetween(path, target)
      if (door)
        doors.set(`${door.parent}/${door.from} -> ${door.to}`, {
          ...door,
          example: `${path} imports ${target}`,
        })
    }
  }
  return [...doors.values()].flatMap(({ parent, from, to, example }) => {
    const order = FOLDER_ORDER[parent]
    if (order && order.indexOf(from) < order.indexOf(to))
      return [`${example}: in ${parent} ${to} stands above ${from}`]
    const isMutual = from < to && doors.has(`${parent}/${to} -> ${from}`)
    return isMutual ? [`${parent}/${from} and ${parent}/${to} import each other`] : []
  })
}

/** The folders of one parent that an import leads from and to; undefined where a file lies in the parent itself. */
function doorBetween(path: string, target: string): Door | undefined {
  const [from, to] = [path.split('/'), target.split('/')]
  const fork = from.findIndex((name, at) => name !== to[at])
  if (fork < 1 || fork >= from.length - 1 || fork >= to.length - 1) return undefined
  return { parent: from.slice(0, fork).join('/'), from: from[fork]!, to: to[fork]! } // just checked
}

/** Each ring of imports once, as `a -> b -> a`. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push(`cycle: ${[...trail.slice(start), path].join(' -> ')}`)
    if (start >= 0 || done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return nodes
}
