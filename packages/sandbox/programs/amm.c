/*
 * The sandbox's market: a constant-product pool (x * y = k, 0.3 % fee) as a Solana program.
 *
 * The price is computed from the vaults when the instruction runs, and a swap that would yield less
 * than the caller's minimum fails. One instruction swaps through one or more pools in a row.
 *
 * Accounts: 0 user (signer), 1 the user's input account (w), 2 the user's output account (w),
 *           3 the token program, then for every hop: pool, vault in (w), vault out (w).
 * Data:     u64 amount in, u64 minimum amount out (little-endian).
 *
 * A pool is an account of this program at the address of the seeds "pool", mint A, mint B, bump; it
 * signs for its vaults. Layout: magic (8), mint A (32), mint B (32), vault A (32), vault B (32), bump.
 *
 * The linker beside this file takes one function and no data section, so every helper is inlined and
 * what does not fit the 512-byte stack lies on the program's heap.
 */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define INLINE static inline __attribute__((always_inline))
#define NO_UNROLL _Pragma("clang loop unroll(disable)")

#define MAX_HOPS 4
#define FIXED_ACCOUNTS 4
#define ACCOUNTS_PER_HOP 3
#define MAX_ACCOUNTS (FIXED_ACCOUNTS + MAX_HOPS * ACCOUNTS_PER_HOP)
#define TOKEN_ACCOUNT_SIZE 165
#define TOKEN_ACCOUNT_AMOUNT 64
#define POOL_MAGIC 0x4c4f4f505652454bULL /* "KERVPOOL" */
#define POOL_SIZE 137
#define REALLOC_PADDING 10240
#define NOT_A_DUPLICATE 0xff
#define FEE_NUMERATOR 3
#define FEE_DENOMINATOR 1000
#define MAX_AMOUNT (1ULL << 60)

enum {
  /* The number under which Jupiter's program reports the same thing. */
  SLIPPAGE_TOLERANCE_EXCEEDED = 6001,
  WRONG_ACCOUNT_COUNT = 6100,
  WRONG_DATA = 6101,
  DUPLICATE_ACCOUNT = 6102,
  USER_MUST_SIGN = 6103,
  NOT_A_POOL = 6104,
  WRONG_VAULT = 6105,
  AMOUNT_OUT_OF_RANGE = 6106,
  INSUFFICIENT_LIQUIDITY = 6107,
};

typedef struct {
  u8 *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  u8 *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, executable;
} AccountInfo;
typedef struct {
  u8 *key;
  u8 is_writable, is_signer;
} AccountMeta;
typedef struct {
  u8 *program;
  AccountMeta *accounts;
  u64 accounts_len;
  u8 *data;
  u64 data_len;
} Instruction;
typedef struct {
  const u8 *bytes;
  u64 len;
} Seed;
typedef struct {
  const Seed *seeds;
  u64 len;
} Signer;

typedef struct {
  AccountInfo accounts[MAX_ACCOUNTS];
  u64 outputs[MAX_HOPS];
  Instruction instruction;
  AccountMeta metas[3];
  Seed seeds[4];
  Signer signer;
  u8 transfer[16];
  u8 prefix[8];
} Workspace;
#define WORKSPACE ((Workspace *)0x300000000ULL)

extern u64 sol_invoke_signed_c(const Instruction *, const AccountInfo *, u64, const Signer *, u64);

INLINE u64 read_u64(const u8 *at) { return *(const u64 *)at; }

INLINE int same_key(const u8 *a, const u8 *b) {
  return read_u64(a) == read_u64(b) && read_u64(a + 8) == read_u64(b + 8) &&
         read_u64(a + 16) == read_u64(b + 16) && read_u64(a + 24) == read_u64(b + 24);
}

/* floor(a * b / divisor) over the 128-bit product, for a quotient of 64 bits and divisor < 2^63. */
INLINE u64 multiply_divide(u64 a, u64 b, u64 divisor) {
  u64 a_low = (u32)a, a_high = a >> 32, b_low = (u32)b, b_high = b >> 32;
  u64 low_low = a_low * b_low;
  u64 middle = a_high * b_low + (low_low >> 32);
  u64 cross = a_low * b_high + (u32)middle;
  u64 high = a_high * b_high + (middle >> 32) + (cross >> 32);
  u64 low = (cross << 32) | (u32)low_low;
  u64 remainder = high % divisor, quotient = 0;
  NO_UNROLL
  for (int i = 0; i < 64; i++) {
    remainder = (remainder << 1) | (low >> 63);
    low <<= 1;
    quotient <<= 1;
    if (remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

/* SPL Token's Transfer of `amount`, signed by the caller or, where `signer` is set, by a pool. */
INLINE u64 transfer(AccountInfo *from, AccountInfo *to, AccountInfo *authority, u64 amount, u64 count,
                    const Signer *signer) {
  Workspace *w = WORKSPACE;
  w->metas[0] = (AccountMeta){from->key, 1, 0};
  w->metas[1] = (AccountMeta){to->key, 1, 0};
  w->metas[2] = (AccountMeta){authority->key, 0, 1};
  w->transfer[0] = 3;
  for (int i = 0; i < 8; i++) w->transfer[1 + i] = (u8)(amount >> (8 * i));
  w->instruction = (Instruction){w->accounts[3].key, w->metas, 3, w->transfer, 9};
  return sol_invoke_signed_c(&w->instruction, w->accounts, count, signer, signer ? 1 : 0);
}

u64 entrypoint(u8 *input) {
  Workspace *w = WORKSPACE;
  u64 count = read_u64(input);
  input += 8;
  if (count != FIXED_ACCOUNTS + ACCOUNTS_PER_HOP && count != FIXED_ACCOUNTS + 2 * ACCOUNTS_PER_HOP &&
      count != FIXED_ACCOUNTS + 3 * ACCOUNTS_PER_HOP && count != MAX_ACCOUNTS)
    return WRONG_ACCOUNT_COUNT;
  NO_UNROLL
  for (u64 i = 0; i < count; i++) {
    if (input[0] != NOT_A_DUPLICATE) return DUPLICATE_ACCOUNT;
    AccountInfo *info = &w->accounts[i];
    info->is_signer = input[1];
    info->is_writable = input[2];
    info->executable = input[3];
    info->key = input + 8;
    info->owner = input + 40;
    info->lamports = (u64 *)(input + 72);
    info->data_len = read_u64(input + 80);
    info->data = input + 88;
    input += 88 + info->data_len + REALLOC_PADDING;
    input = (u8 *)(((u64)input + 7) & ~7ULL);
    info->rent_epoch = read_u64(input);
    input += 8;
  }
  if (read_u64(input) != 16) return WRONG_DATA;
  u64 amount_in = read_u64(input + 8), minimum_out = read_u64(input + 16);
  u8 *program = input + 24;

  AccountInfo *user = &w->accounts[0];
  if (!user->is_signer) return USER_MUST_SIGN;
  if (amount_in == 0 || amount_in > MAX_AMOUNT) return AMOUNT_OUT_OF_RANGE;

  /* Every output is computed before the first transfer: duplicates are refused, so no pool occurs twice. */
  u64 hops = (count - FIXED_ACCOUNTS) / ACCOUNTS_PER_HOP;
  u64 amount = amount_in;
  NO_UNROLL
  for (u64 hop = 0; hop < hops; hop++) {
    AccountInfo *pool = &w->accounts[FIXED_ACCOUNTS + hop * ACCOUNTS_PER_HOP];
    AccountInfo *in = pool + 1, *out = pool + 2;
    if (!same_key(pool->owner, program) || pool->data_len != POOL_SIZE || read_u64(pool->data) != POOL_MAGIC)
      return NOT_A_POOL;
    u8 *vault_a = pool->data + 72, *vault_b = pool->data + 104;
    if (!(same_key(in->key, vault_a) && same_key(out->key, vault_b)) &&
        !(same_key(in->key, vault_b) && same_key(out->key, vault_a)))
      return WRONG_VAULT;
    if (in->data_len != TOKEN_ACCOUNT_SIZE || out->data_len != TOKEN_ACCOUNT_SIZE) return WRONG_VAULT;
    u64 x = read_u64(in->data + TOKEN_ACCOUNT_AMOUNT), y = read_u64(out->data + TOKEN_ACCOUNT_AMOUNT);
    if (x == 0 || x > MAX_AMOUNT || y == 0) return INSUFFICIENT_LIQUIDITY;
    u64 fee = (amount * FEE_NUMERATOR + FEE_DENOMINATOR - 1) / FEE_DENOMINATOR;
    u64 net = amount - fee;
    amount = multiply_divide(y, net, x + net);
    if (amount == 0 || amount > MAX_AMOUNT) return INSUFFICIENT_LIQUIDITY;
    w->outputs[hop] = amount;
  }
  if (amount < minimum_out) return SLIPPAGE_TOLERANCE_EXCEEDED;

  u64 result = transfer(&w->accounts[1], &w->accounts[FIXED_ACCOUNTS + 1], user, amount_in, count, 0);
  if (result) return result;
  for (int i = 0; i < 4; i++) w->prefix[i] = (u8)(0x6c6f6f70 >> (8 * i)); /* "pool" */
  NO_UNROLL
  for (u64 hop = 0; hop < hops; hop++) {
    AccountInfo *pool = &w->accounts[FIXED_ACCOUNTS + hop * ACCOUNTS_PER_HOP];
    AccountInfo *to = hop + 1 == hops ? &w->accounts[2] : pool + ACCOUNTS_PER_HOP + 1;
    w->seeds[0] = (Seed){w->prefix, 4};
    w->seeds[1] = (Seed){pool->data + 8, 32};
    w->seeds[2] = (Seed){pool->data + 40, 32};
    w->seeds[3] = (Seed){pool->data + 136, 1};
    w->signer = (Signer){w->seeds, 4};
    result = transfer(pool + 2, to, pool, w->outputs[hop], count, &w->signer);
    if (result) return result;
  }
  return 0;
}
