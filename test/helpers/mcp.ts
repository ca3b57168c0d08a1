import {PassThrough} from 'node:stream'
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type {Home, RunOptions, RunResult} from './cli.ts'

/** The official client, connected to `cardctl mcp` in this process. */
export interface McpClient {
  readonly client: Client
  /** What the server read and wrote, as it came. */
  readonly lines: {readonly sent: string[]; readonly received: string[]}
  /** Writes a line as it is. */
  write(line: string): void
  /** Waits for the next line that the server writes. */
  nextLine(): Promise<string>
  /** Calls a tool, and gives its structured content. */
  call(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** The client goes, as if its process died. */
  leave(): Promise<RunResult>
}

export async function openMcp(
  home: Home,
  argv: readonly string[] = [],
  options: RunOptions & {
    readonly client?: ClientOptions
    readonly name?: string
    /** Compares results with the schemas, as clients do. */
    readonly validates?: boolean
  } = {},
): Promise<McpClient> {
  const {client: clientOptions, name = 'tester', validates = false, ...runOptions} = options
  const server = startMcp(home, argv, runOptions)
  // Compiling the schemas of all results takes a second: test/commands/mcp/tools.test.ts compares results with them.
  const jsonSchemaValidator: ClientOptions['jsonSchemaValidator'] = {
    getValidator: () => input => ({valid: true, data: input as never, errorMessage: undefined}),
  }
  const client = new Client(
    {name, version: '1.0.0'},
    {capabilities: {}, ...(validates ? {} : {jsonSchemaValidator}), ...clientOptions},
  )
  // A server that doesn't start says why.
  await Promise.race([client.connect(server.transport), server.ended.then(refused)])
  return {
    ...server,
    client,
    call: async (tool, input = {}) => {
      const {structuredContent} = await client.callTool({name: tool, arguments: input})
      return structuredContent as Record<string, unknown>
    },
    leave: () => {
      server.input.end()
      return server.ended
    },
  }
}

function refused({code, stderr}: RunResult): never {
  throw new Error(`cardctl mcp ended ${code}: ${stderr}`)
}

/** The server alone, for clients that don't keep to the protocol. */
export function startMcp(home: Home, argv: readonly string[] = [], options: RunOptions = {}) {
  const input = new PassThrough()
  const lines = {sent: [] as string[], received: [] as string[]}
  const waiting: ((line: string) => void)[] = []
  let rest = ''
  const buffer = new ReadBuffer()
  const transport: Transport = {
    start: async () => undefined,
    send: async message => {
      const line = serializeMessage(message)
      lines.sent.push(line.trimEnd())
      input.write(line)
    },
    close: async () => {
      input.end()
      transport.onclose?.()
    },
  }
  const output = (chunk: Buffer): void => {
    rest += chunk.toString()
    const parts = rest.split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.received.push(line)
      waiting.shift()?.(line)
    }
    buffer.append(chunk)
    for (let message = readOne(buffer); message !== null; message = readOne(buffer))
      transport.onmessage?.(message)
  }
  const ended = home.run(['mcp', ...argv], {...options, input, output})
  return {
    input,
    lines,
    transport,
    ended,
    write: (line: string) => void input.write(`${line}\n`),
    nextLine: () => new Promise<string>(resolve => waiting.push(resolve)),
  }
}

const readOne = (buffer: ReadBuffer): JSONRPCMessage | null => buffer.readMessage()
