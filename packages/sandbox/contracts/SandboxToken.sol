// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title ERC-20 with chosen decimals and a transfer tax
/// @notice The tax is taken from what is sent and goes to the treasury, as with the fee-on-transfer tokens met
/// on BSC. Transfers to and from the treasury are free of it, so that the faucet grants exact amounts.
contract SandboxToken is ERC20 {
    uint256 private constant BASIS_POINTS = 10_000;

    uint256 public immutable taxBps;
    address public immutable treasury;
    uint8 private immutable tokenDecimals;

    error TaxTooHigh(uint256 taxBps);

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        uint256 supply,
        uint256 taxBps_
    ) ERC20(name_, symbol_) {
        if (taxBps_ > BASIS_POINTS) revert TaxTooHigh(taxBps_);
        taxBps = taxBps_;
        treasury = msg.sender;
        tokenDecimals = decimals_;
        _mint(msg.sender, supply);
    }

    function decimals() public view override returns (uint8) {
        return tokenDecimals;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 tax = from == treasury || to == treasury ? 0 : (amount * taxBps) / BASIS_POINTS;
        if (tax > 0) super._transfer(from, treasury, tax);
        super._transfer(from, to, amount - tax);
    }
}
