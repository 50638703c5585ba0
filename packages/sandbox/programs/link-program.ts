/**
 * Turns the relocatable object of clang's generic BPF target into the shared object Solana's loader
 * takes (sBPF version 0): clang alone cannot, and Solana's own toolchain is no npm package.
 *
 * Only what the AMM needs is supported: one function, no data sections, calls to system calls. Formats:
 * System V ABI chapters 4 and 5 (ELF64), and the loader's rules in the solana-sbpf repository.
 */

const elfHeaderBytes = 64;
const sectionHeaderBytes = 64;
const programHeaderBytes = 56;
const symbolBytes = 24;
const relocationBytes = 16;
const dynamicEntryBytes = 16;
/** R_BPF_64_32: the loader puts the system call's hash into the call's immediate. */
const callRelocation = 10;

interface Section {
  name: string;
  offset: number;
  size: number;
  link: number;
}

interface SystemCall {
  /** Where in .text the call instruction stands. */
  offset: number;
  name: string;
}

/** Links `object` (the bytes of clang's .o) and returns the program's bytes. */
export function linkProgram(object: Buffer): Buffer {
  const sections = readSections(object);
  const section = (name: string): Section | undefined => sections.find((each) => each.name === name);
  const data = sections.find((each) => /^\.(rodata|data|bss)/.test(each.name) && each.size > 0);
  if (data) throw new Error(`The program has a ${data.name} section, which this linker does not place`);
  const textSection = section('.text');
  if (!textSection) throw new Error('The object has no .text section');
  const text = Buffer.from(object.subarray(textSection.offset, textSection.offset + textSection.size));
  const calls = readSystemCalls(object, sections, section('.rel.text'));
  for (const call of calls) {
    // The source register marks the kind of call; zero and -1 is what the loader expects to relocate.
    text.writeUInt8(text.readUInt8(call.offset + 1) & 0x0f, call.offset + 1);
    text.writeInt32LE(-1, call.offset + 4);
  }
  return writeSharedObject(text, calls);
}

function readSections(object: Buffer): Section[] {
  const start = number64(object, 40);
  const count = object.readUInt16LE(60);
  const namesHeader = start + object.readUInt16LE(62) * sectionHeaderBytes;
  const names = number64(object, namesHeader + 24);
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * sectionHeaderBytes;
    return {
      name: cString(object, names + object.readUInt32LE(at)),
      offset: number64(object, at + 24),
      size: number64(object, at + 32),
      link: object.readUInt32LE(at + 40),
    };
  });
}

function readSystemCalls(
  object: Buffer,
  sections: Section[],
  relocations: Section | undefined,
): SystemCall[] {
  const symbols = sections.find((each) => each.name === '.symtab');
  const strings = symbols && sections[symbols.link];
  if (!relocations || !strings) return [];
  return Array.from({ length: relocations.size / relocationBytes }, (_, index) => {
    const at = relocations.offset + index * relocationBytes;
    const info = object.readBigUInt64LE(at + 8);
    const type = Number(info & 0xffff_ffffn);
    if (type !== callRelocation) throw new Error(`Relocation type ${type} is not supported`);
    const symbol = symbols.offset + Number(info >> 32n) * symbolBytes;
    return {
      offset: number64(object, at),
      name: cString(object, strings.offset + object.readUInt32LE(symbol)),
    };
  });
}

function writeSharedObject(text: Buffer, calls: SystemCall[]): Buffer {
  const imports = [...new Set(calls.map((call) => call.name))];
  const dynamicStrings = stringTable(['entrypoint', ...imports]);
  const sectionStrings = stringTable(['.text', '.dynamic', '.dynsym', '.dynstr', '.rel.dyn', '.shstrtab']);

  const textAt = elfHeaderBytes + 3 * programHeaderBytes;
  const dynamicAt = align(textAt + text.length);
  const dynamicSize = 7 * dynamicEntryBytes;
  const symbolsAt = dynamicAt + dynamicSize;
  const symbolsSize = (imports.length + 2) * symbolBytes;
  const stringsAt = align(symbolsAt + symbolsSize);
  const relocationsAt = align(stringsAt + dynamicStrings.bytes.length);
  const relocationsSize = calls.length * relocationBytes;
  const sectionStringsAt = relocationsAt + relocationsSize;
  const headersAt = align(sectionStringsAt + sectionStrings.bytes.length);
  const out = Buffer.alloc(headersAt + 7 * sectionHeaderBytes);
  const put64 = (value: number, at: number): void => void out.writeBigUInt64LE(BigInt(value), at);

  // ELF64, little-endian, shared object, machine BPF.
  out.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  out.writeUInt16LE(3, 16);
  out.writeUInt16LE(247, 18);
  out.writeUInt32LE(1, 20);
  put64(textAt, 24);
  put64(elfHeaderBytes, 32);
  put64(headersAt, 40);
  [elfHeaderBytes, programHeaderBytes, 3, sectionHeaderBytes, 7, 6].forEach((value, index) =>
    out.writeUInt16LE(value, 52 + index * 2),
  );

  const segments = [
    { type: 1, flags: 5, at: textAt, size: text.length },
    { type: 1, flags: 4, at: dynamicAt, size: relocationsAt + relocationsSize - dynamicAt },
    { type: 2, flags: 6, at: dynamicAt, size: dynamicSize },
  ];
  segments.forEach((segment, index) => {
    const at = elfHeaderBytes + index * programHeaderBytes;
    out.writeUInt32LE(segment.type, at);
    out.writeUInt32LE(segment.flags, at + 4);
    // File offset, virtual and physical address are one and the same; then both sizes and the alignment.
    for (const field of [8, 16, 24]) put64(segment.at, at + field);
    for (const field of [32, 40]) put64(segment.size, at + field);
    put64(8, at + 48);
  });

  text.copy(out, textAt);
  const dynamicEntries = [
    [0x11, relocationsAt], // DT_REL
    [0x12, relocationsSize], // DT_RELSZ
    [0x13, relocationBytes], // DT_RELENT
    [6, symbolsAt], // DT_SYMTAB
    [5, stringsAt], // DT_STRTAB
    [10, dynamicStrings.bytes.length], // DT_STRSZ
    [0, 0],
  ] as const;
  dynamicEntries.forEach(([tag, value], index) => {
    put64(tag, dynamicAt + index * dynamicEntryBytes);
    put64(value, dynamicAt + index * dynamicEntryBytes + 8);
  });

  imports.forEach((name, index) => {
    const at = symbolsAt + (index + 1) * symbolBytes;
    out.writeUInt32LE(dynamicStrings.offset(name), at);
    out.writeUInt8(0x10, at + 4); // global, no type: defined by the loader
  });
  const entrypointAt = symbolsAt + (imports.length + 1) * symbolBytes;
  out.writeUInt32LE(dynamicStrings.offset('entrypoint'), entrypointAt);
  out.writeUInt8(0x12, entrypointAt + 4); // global function
  out.writeUInt16LE(1, entrypointAt + 6);
  put64(textAt, entrypointAt + 8);
  put64(text.length, entrypointAt + 16);

  dynamicStrings.bytes.copy(out, stringsAt);
  calls.forEach((call, index) => {
    const at = relocationsAt + index * relocationBytes;
    put64(textAt + call.offset, at);
    out.writeBigUInt64LE((BigInt(imports.indexOf(call.name) + 1) << 32n) | BigInt(callRelocation), at + 8);
  });
  sectionStrings.bytes.copy(out, sectionStringsAt);

  const sectionHeaders = [
    { name: '.text', type: 1, flags: 6, at: textAt, size: text.length, link: 0, info: 0, entry: 0 },
    { name: '.dynamic', type: 6, flags: 3, at: dynamicAt, size: dynamicSize, link: 4, info: 0, entry: 16 },
    { name: '.dynsym', type: 11, flags: 2, at: symbolsAt, size: symbolsSize, link: 4, info: 1, entry: 24 },
    {
      name: '.dynstr',
      type: 3,
      flags: 2,
      at: stringsAt,
      size: dynamicStrings.bytes.length,
      link: 0,
      info: 0,
      entry: 0,
    },
    {
      name: '.rel.dyn',
      type: 9,
      flags: 2,
      at: relocationsAt,
      size: relocationsSize,
      link: 3,
      info: 0,
      entry: 16,
    },
    {
      name: '.shstrtab',
      type: 3,
      flags: 0,
      at: sectionStringsAt,
      size: sectionStrings.bytes.length,
      link: 0,
      info: 0,
      entry: 0,
    },
  ];
  sectionHeaders.forEach((header, index) => {
    const at = headersAt + (index + 1) * sectionHeaderBytes;
    out.writeUInt32LE(sectionStrings.offset(header.name), at);
    out.writeUInt32LE(header.type, at + 4);
    put64(header.flags, at + 8);
    put64(header.flags === 0 ? 0 : header.at, at + 16);
    put64(header.at, at + 24);
    put64(header.size, at + 32);
    out.writeUInt32LE(header.link, at + 40);
    out.writeUInt32LE(header.info, at + 44);
    put64(8, at + 48);
    put64(header.entry, at + 56);
  });
  return out;
}

function stringTable(names: string[]): { bytes: Buffer; offset(name: string): number } {
  const bytes = Buffer.from(`\0${names.join('\0')}\0`, 'latin1');
  return { bytes, offset: (name) => bytes.indexOf(`\0${name}\0`, 0, 'latin1') + 1 };
}

function number64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

function cString(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, bytes.indexOf(0, at));
}

function align(offset: number): number {
  return (offset + 7) & ~7;
}
