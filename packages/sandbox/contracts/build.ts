/**
 * Compiles the sandbox's own contracts into ../artifacts/. The compiler is no dependency of the product: the built
 * files are committed, and the sandbox checks at deployment that they were made from the sources beside them.
 *
 *   npm install --no-save --prefix <any empty folder> solc@0.8.28
 *   node packages/sandbox/contracts/build.ts <that folder>
 */
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const contracts = ['SandboxV3PoolDeployer', 'SandboxToken'] as const;
const here = import.meta.dirname;
const artifacts = path.join(here, '..', 'artifacts');
const compilerFolder = process.argv[2];
if (compilerFolder === undefined) throw new Error('Give the folder that solc is installed in.');

const requireHere = createRequire(import.meta.url);
const requireCompiler = createRequire(path.join(path.resolve(compilerFolder), 'package.json'));
const sourceOf = (name: string): string => readFileSync(path.join(here, `${name}.sol`), 'utf8');

interface Compiler {
  version(): string;
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
}
interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>;
}

// solc ships no types; these two shapes are the part of its documented standard JSON interface that is used.
const compiler: Compiler = requireCompiler('solc');
const output: CompilerOutput = JSON.parse(
  compiler.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: Object.fromEntries(contracts.map((name) => [`${name}.sol`, { content: sourceOf(name) }])),
      settings: {
        evmVersion: 'paris',
        optimizer: { enabled: true, runs: 200 },
        metadata: { bytecodeHash: 'none' },
        outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
      },
    }),
    { import: (file) => ({ contents: readFileSync(requireHere.resolve(file), 'utf8') }) },
  ),
);

const problems = output.errors ?? [];
if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'));

mkdirSync(artifacts, { recursive: true });
for (const name of contracts) {
  const built = output.contracts[`${name}.sol`]?.[name];
  if (built === undefined) throw new Error(`The compiler made no ${name}.`);
  const artifact = {
    contractName: name,
    compiler: compiler.version(),
    sourceSha256: createHash('sha256').update(sourceOf(name)).digest('hex'),
    abi: built.abi,
    bytecode: `0x${built.evm.bytecode.object}`,
  };
  writeFileSync(path.join(artifacts, `${name}.json`), `${JSON.stringify(artifact, null, 2)}\n`);
}
