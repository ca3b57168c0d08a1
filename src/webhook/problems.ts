/** RFC 9457. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** What does not fit the contract, and where. */
  readonly errors?: readonly {readonly pointer: string; readonly detail: string}[]
}

const problem = (status: number, title: string, detail: string): Problem => ({
  type: 'about:blank',
  title,
  status,
  detail,
})

/** Answers to calls that get no decision. None of them quotes what came. */
export const unreadable = {
  http: problem(400, 'Bad Request', 'the request is not HTTP'),
  headers: problem(431, 'Request Header Fields Too Large', 'the head of the request is too large'),
  host: problem(400, 'Bad Request', 'the request names no host'),
  expectation: problem(417, 'Expectation Failed', 'only 100-continue can be expected'),
  credentials: problem(401, 'Unauthorized', 'the credentials are missing or wrong'),
  method: problem(405, 'Method Not Allowed', 'calls are sent by POST'),
  json: problem(400, 'Bad Request', 'the body is not JSON'),
  object: problem(400, 'Bad Request', 'the body is not a JSON object'),
  deep: problem(400, 'Bad Request', 'the body is nested more than 60 deep'),
  contract: problem(400, 'Bad Request', 'the call does not fit the contract'),
  'too-large': problem(413, 'Content Too Large', 'the body is larger than 64 KiB'),
  'too-slow': problem(408, 'Request Timeout', 'the body did not come in time'),
  encoding: problem(415, 'Unsupported Media Type', 'the body is compressed'),
  origin: problem(403, 'Forbidden', 'calls do not come from web pages'),
  cut: problem(400, 'Bad Request', 'the caller broke off'),
  late: problem(503, 'Service Unavailable', 'no decision within the deadline'),
  coldLate: problem(503, 'Service Unavailable', 'no answer to the warm-up within the deadline'),
  undecided: problem(502, 'Bad Gateway', 'there is no usable decision'),
  fault: problem(500, 'Internal Server Error', 'the listener failed at this call'),
} as const satisfies Readonly<Record<string, Problem>>

/** There are two paths, below a prefix or not. */
export const noSuchPath = (prefix: string): Problem =>
  problem(404, 'Not Found', `calls come to ${prefix}/auth and ${prefix}/warm-up`)
