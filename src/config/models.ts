import { z } from 'zod'

/** The chat model, on any OpenAI-compatible server. */
const modelSchema = z.strictObject({
  /** Base URL of an OpenAI-compatible server, as `http://localhost:11434/v1`. */
  url: z.url(),
  name: z.string().min(1),
  key: z.string().min(1).optional(),
  temperature: z.number().min(0).optional(),
  topP: z.number().min(0).max(1).optional(),
  /** Of one answer. */
  maxTokens: z.int().min(1).optional(),
  /** Of one request; longer conversations are shortened, oldest first. 0 for any length. */
  maxInputTokens: z.int().min(0).default(58_000),
  seed: z.int().optional(),
  stop: z.array(z.string().min(1)).optional(),
  parallelFunctionCalls: z.boolean().optional(),
  thoughtInContent: z.boolean().optional(),
  /** How tools are called: by the server's own means, or as text by a template that the model was taught. */
  functionCalling: z.enum(['native', 'nous', 'qwen', 'react']).default('native'),
  /** Longest that its server may send nothing: before an answer, and between two pieces of it. */
  timeoutMs: z.int().min(1).default(120_000),
  /** Tries after a failure that may pass; when left out, two after a 429 or 503. */
  maxRetries: z.int().min(0).max(20).optional(),
  /** Fields of every request that only some servers know, as `{top_k: 20}`. */
  extraBody: z.record(z.string(), z.json()).optional(),
  cache: z
    .strictObject({
      /** Largest all kept answers may be, in bytes; 0 keeps none. */
      maxBytes: z.int().min(0).default(0),
      /** How long an answer is repeated to the same request, in milliseconds. */
      ttlMs: z
        .int()
        .min(1)
        .default(24 * 60 * 60 * 1000),
    })
    .prefault({}),
})

const prefix = z.string().max(1_000)

/** What turns texts into vectors: a local model, or a server's. */
const embedderSchema = z.strictObject({
  /** A model folder under `data/models`, or an absolute path to one. */
  id: z.string().min(1).optional(),
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** What the model reads before a text of each kind; its folder's, where that says. */
  prefixes: z.strictObject({ query: prefix.default(''), passage: prefix.default('') }).optional(),
  /** Which states of a local model become the vector; its folder's, where that says. */
  pooling: z.enum(['mean', 'cls', 'last', 'model']).optional(),
  /** Keep only so many numbers of each vector, of a model that was trained for it. */
  dimensions: z.int().min(1).max(16_384).optional(),
  /** Longest passage that the model reads, in tokens, prefix and special tokens included. */
  maxTokens: z.int().min(16).max(32_768).optional(),
})

/** What looks closer at the best hits of precise search. */
const rerankerSchema = z.strictObject({
  /** Absolute path of a cross-encoder's folder: `tokenizer.json` and ONNX weights. */
  id: z.string().min(1).optional(),
  /** Base URL of a server with Cohere's or Jina's `/rerank`. */
  url: z.url().optional(),
  name: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  /** So many of the best hits are looked at. */
  depth: z.int().min(1).max(100).default(20),
  /** Longest a query waits for it, in milliseconds; then the hits stay in their order. */
  timeMs: z.int().min(1).default(10_000),
})

export const modelSettings = {
  model: modelSchema.optional(),
  embedder: embedderSchema.prefault({}),
  /** Further models, by the name that `--embedder` takes. */
  embedders: z.record(z.string().regex(/^[^\s@]+$/), embedderSchema).default({}),
  reranker: rerankerSchema.optional(),
}
